import { openPages, pages, type PageEntry } from './page-list.ts';

/** Views of pages beside the one that their path alone shows. */
const views: Readonly<Record<string, readonly string[]>> = {
  '/flows/:id': ['?view=list', '?tab=triggers', '?tab=runs', '?tab=json', '?tab=versions'],
  '/flows/:id/versions/:version': ['?tab=json'],
  '/contacts/:id': ['?tab=runs', '?tab=orders', '?tab=conversations'],
  '/settings/logs/delivery': ['?status=all'],
};

/** A page at an address that can be opened. `title` is the same in each run; `isFirst` for one address of each page. */
export type Address = { title: string; address: string; entry: PageEntry; isFirst: boolean };

type Values = Readonly<Record<string, readonly string[]>>;

/**
 * The addresses of all pages of `pages.ts`, each view and each value once. Throws for a parameter of which `values` has nothing: the furnished
 * account has to have one.
 */
export const listAddresses = (values: Values): Address[] =>
  pages.flatMap((entry) => {
    const { path, shows } = entry;
    const [first = '', ...others] = fillIn(path, values);
    return [
      { title: path, address: first, entry, isFirst: true },
      ...(shows === undefined ? [] : fillIn(`${path}/${shows}`, values)).map((address, index) => ({
        title: `${path}/${shows} (${index + 1})`,
        address,
        entry,
        isFirst: false,
      })),
      ...(views[path] ?? []).map((view) => ({
        title: `${path}${view}`,
        address: `${first}${view}`,
        entry,
        isFirst: false,
      })),
      ...others.map((address, index) => ({ title: `${path} (${index + 2})`, address, entry, isFirst: false })),
    ];
  });

/** An id of the same kind, or a number, that nothing has. */
const unknown = (value: string): string => (value.includes('_') ? value.replace(/[^_]*$/, '0'.repeat(26)) : '999999');

/** The addresses of all pages of one thing, each of a thing that is not there. */
export const listUnknown = (values: Values): Pick<Address, 'title' | 'address'>[] =>
  pages.flatMap(({ path: own, shows }) => {
    const path = shows === undefined ? own : `${own}/${shows}`;
    const [known = ''] = fillIn(path, values);
    const last = path.split('/').at(-1) ?? '';
    return last.startsWith(':') ? [{ title: path, address: known.replace(/[^/]*$/, unknown) }] : [];
  });

/** The path with the values of its parameters: the first value of each, then the others of the last one. */
const fillIn = (path: string, values: Values): string[] => {
  const parts = path.split('/');
  const of = (place: number): readonly string[] => {
    const noun = parts[place - 1] ?? '';
    const found = values[noun] ?? [];
    if (found.length === 0)
      throw new Error(`${path}: add a line \`${noun}\` to the values of test/web/helpers/furnished/account.ts`);
    return found;
  };
  const places = parts.flatMap((part, place) => (part.startsWith(':') ? [place] : []));
  const last = places.at(-1);
  if (last === undefined) return [path];
  return of(last).map((value) =>
    parts.map((part, place) => (place === last ? value : places.includes(place) ? of(place)[0] : part)).join('/'),
  );
};

/** Open pages that a link in a mail leads to, which show a form to who has it. */
const byLink = ['/invitation', '/reset-password'];

/** The addresses of the open pages, with and without the token of a link. */
export const openAddresses: readonly { title: string; address: string }[] = openPages.flatMap(({ path }) => [
  { title: path, address: path },
  ...(byLink.includes(path) ? [{ title: `${path} by a link`, address: `${path}#a-token` }] : []),
]);
