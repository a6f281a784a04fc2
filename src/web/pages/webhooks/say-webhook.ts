/** What people call a webhook by: host and path of its address. An account may have several on one host. */
export const placeOf = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : host + pathname;
};
