/** What people call a webhook by: the host of its address. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
