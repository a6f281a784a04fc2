/**
 * The path of ours that a text names, as the browser reads it; `/` for everything else. What is answered is read once more: `/.//a.example` is a
 * path of ours, and `//a.example`, which is left of it without its dot, another site.
 */
export const pathWithin = (next: string | null, ours: string): string => {
  const named = next?.startsWith('/') ? URL.parse(next, ours) : null;
  if (named?.origin !== ours) return '/';
  const path = named.pathname + named.search + named.hash;
  return URL.parse(path, ours)?.href === named.href ? path : '/';
};
