import { IconBook } from '@tabler/icons-react';
import { isOffered, type Session } from '../api/session.ts';
import { pages, type NavLine, type Section } from '../pages.ts';

/** A line of the navigation, and where it leads. */
export type Line = NavLine & {
  section: Section;
  to: string;
  isBelow: boolean;
  /** Whether it leads to a document that is no page of the dashboard. */
  isDocument: boolean;
};

const apiReference: Line = {
  section: 'developers',
  words: 'apiReference',
  icon: IconBook,
  to: '/docs',
  isBelow: false,
  isDocument: true,
};

/** The lines that a user's role may open, in the order of the navigation. */
export const navLines = (session: Session): Line[] => [
  ...pages.flatMap(({ path, nav, role = 'agent', ...page }) => {
    if (!nav || !isOffered({ ...page, role: nav.role ?? role }, session)) return [];
    const { section, words, icon, isBelow = false, views = [] } = nav;
    const line: Line = { section, words, icon, to: path, isBelow, isDocument: false };
    return [
      line,
      ...views.map((view) => ({
        ...line,
        words: view.words,
        icon: view.icon,
        to: `${path}?${new URLSearchParams(view.filters).toString()}`,
        isBelow: true,
      })),
    ];
  }),
  apiReference,
];

/** Whether a page is the one of a path, or below it. */
const isAt = (path: string, pathname: string): boolean =>
  path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`);

/** Whether the page of this path is a setting, also one that the user's role may not open. */
export const isSetting = (pathname: string): boolean =>
  pathname === '/settings' || pages.some(({ path, nav }) => nav?.section === 'settings' && isAt(path, pathname));

/** The line that the page at this address belongs to: of those that fit, the one whose filters it shows. */
export const lineAt = (lines: readonly Line[], { pathname, search }: { pathname: string; search: string }) => {
  const shown = new URLSearchParams(search);
  const fits = lines.filter(({ to }) => {
    const { pathname: path, searchParams } = new URL(to, location.origin);
    return isAt(path, pathname) && [...searchParams].every(([name, value]) => shown.get(name) === value);
  });
  return fits.toSorted((one, other) => other.to.length - one.to.length)[0];
};
