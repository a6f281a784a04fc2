import { readLocalStorageValue } from '@mantine/hooks';
import { IconChevronDown, IconSettings } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { mayAs } from '../api/session.ts';
import { navWords } from '../words/nav.ts';
import { NavBadge } from './nav-badge.tsx';
import { isSetting, lineAt, navLines, type Line } from './nav-lines.ts';
import { useSignedIn } from './session-context.ts';

/** On a low screen the pages are more than there is room for. The browser's own scrolling to one would also make it the keyboard's first stop. */
const showLink = (link: HTMLAnchorElement | null): void => {
  const list = link?.closest('.mantine-ScrollArea-viewport');
  if (!link || !list) return;
  const [of, within] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.max(of.bottom - within.bottom, 0) - Math.max(within.top - of.top, 0);
};

/** The pages that the user may open: daily work first, then what developers need, and the settings, whose pages unfold on one of them. */
export const Navigation = () => {
  const session = useSignedIn();
  const location = useLocation();
  const lines = navLines(session);
  const here = lineAt(lines, location);
  const of = (section: Line['section']): Line[] => lines.filter((line) => line.section === section);
  const show = (line: Line): ReactNode => <Entry key={line.to} line={line} isHere={line === here} />;
  return (
    <>
      <ul className="nav-list">{of('work').map(show)}</ul>
      <Group title={navWords.sections.developers} isOpenAtFirst={mayAs('editor', session)}>
        {of('developers').map(show)}
      </Group>
      <ul className="nav-list" style={{ marginTop: 12 }}>
        <li>
          <Link
            to="/settings"
            className="nav-entry"
            aria-current={location.pathname === '/settings' ? 'page' : undefined}
          >
            <IconSettings size={18} stroke={1.7} aria-hidden />
            {navWords.sections.settings}
          </Link>
          {isSetting(location.pathname) && (
            <ul className="nav-list">
              {of('settings').map((line) => (
                <Entry key={line.to} line={{ ...line, isBelow: true }} isHere={line === here} />
              ))}
            </ul>
          )}
        </li>
      </ul>
    </>
  );
};

/** Where it is kept whether the group is open. */
const key = 'parley-developers';

/** A group that can be closed, and stays as it was left. */
const Group = ({ title, isOpenAtFirst, children }: { title: string; isOpenAtFirst: boolean; children: ReactNode }) => {
  const id = useId();
  const [isOpen, setOpen] = useState(() => readLocalStorageValue({ key, defaultValue: isOpenAtFirst }));
  const toggle = (): void => {
    setOpen(!isOpen);
    try {
      localStorage.setItem(key, JSON.stringify(!isOpen));
    } catch {
      // Without storage it is as at first with the next visit.
    }
  };
  return (
    <>
      <button
        type="button"
        className="nav-entry nav-group"
        style={{ marginTop: 12 }}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {title}
        <IconChevronDown size={14} aria-hidden />
      </button>
      <ul className="nav-list" id={id} hidden={!isOpen}>
        {children}
      </ul>
    </>
  );
};

const Entry = ({ line: { to, words, icon: Shown, isBelow, isDocument }, isHere }: { line: Line; isHere: boolean }) => {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isHere) showLink(link.current);
  }, [isHere]);
  const shown = (
    <>
      {!isBelow && <Shown size={18} stroke={1.7} aria-hidden />}
      {navWords.pages[words]}
      <NavBadge of={words} />
    </>
  );
  return (
    <li>
      {isDocument ? (
        <a href={to} className="nav-entry">
          {shown}
        </a>
      ) : (
        <Link
          ref={link}
          to={to}
          className="nav-entry"
          data-below={isBelow || undefined}
          aria-current={isHere ? 'page' : undefined}
        >
          {shown}
        </Link>
      )}
    </li>
  );
};
