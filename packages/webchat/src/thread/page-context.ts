/** The page from which a visitor writes, for the agent who answers. */
export const describePage = (): Record<string, string> => ({
  url: location.href.slice(0, 2_000),
  referrer: document.referrer.slice(0, 2_000),
  title: document.title.slice(0, 200),
  language: navigator.language,
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
