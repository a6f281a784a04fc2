import { NavLink, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { isOffered } from '../api/session.ts';
import { pages, sections } from '../pages.ts';
import { navWords } from '../words/nav.ts';
import { useSignedIn } from './session-context.ts';

/** On a low screen the pages are more than there is room for. The browser's own scrolling to one would also make it the keyboard's first stop. */
const showLink = (link: HTMLAnchorElement | null): void => {
  const list = link?.closest('.mantine-ScrollArea-viewport');
  if (!link || !list) return;
  const [of, within] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.max(of.bottom - within.bottom, 0) - Math.max(within.top - of.top, 0);
};

/** The pages that the user may open, under their headings. */
export const Navigation = () => {
  const session = useSignedIn();
  const { pathname } = useLocation();
  const listed = pages.filter(
    ({ nav, role = 'agent', ...page }) => nav && isOffered({ ...page, role: nav.role ?? role }, session),
  );
  return sections.map((section) => {
    const entries = listed.filter(({ nav }) => nav?.section === section);
    if (entries.length === 0) return null;
    return (
      <div key={section}>
        <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4}>
          {navWords.sections[section]}
        </Text>
        {entries.map(({ path, nav }) => {
          if (!nav) return null;
          const isHere = path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`);
          return (
            <NavLink
              key={path}
              ref={isHere ? showLink : undefined}
              component={Link}
              to={path}
              label={navWords.pages[nav.words]}
              leftSection={<nav.icon size={18} stroke={1.6} aria-hidden />}
              active={isHere}
              py={5}
              aria-current={isHere ? 'page' : undefined}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          );
        })}
      </div>
    );
  });
};
