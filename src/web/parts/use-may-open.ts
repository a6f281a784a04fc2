import { matchPath } from 'react-router';
import { mayAs } from '../api/session.ts';
import { pages } from '../pages.ts';
import { useSignedIn } from '../shell/session-context.ts';

/** Whether the user's role may open the page of a path. A link that leads to a refusal is better told as text. */
export const useMayOpen = (): ((to: string) => boolean) => {
  const session = useSignedIn();
  return (to) => {
    const { pathname } = new URL(to, location.origin);
    const page = pages.find(({ path }) => matchPath(path, pathname));
    return mayAs(page?.role ?? 'agent', session);
  };
};
