/** The most origins of a channel. */
export const originsPerChannel = 20;

/** The names under which a site may run without https: only its own machine calls it so. */
const ownMachine = new Set(['localhost', '127.0.0.1']);

/** An address of a site as browsers tell its origin, such as `https://shop.example`; any other text as it is. */
export const asOrigin = (text: string): string => {
  const url = URL.parse(text.trim());
  const isBare = url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
  return isBare && url.pathname === '/' ? url.origin : text;
};

/** Whether a widget may run there: an https origin, or one of this machine. */
export const isSiteOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  if (!url || url.origin !== text) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ownMachine.has(url.hostname));
};
