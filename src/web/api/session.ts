import { forgetContacts } from './contact-names.ts';
import { ApiFailure } from './failure.ts';
import { forgetKept } from './kept.ts';
import { queryClient } from './query-client.ts';
import { sessionKey } from './session-end.ts';
import { api, client, type Schemas } from './client.ts';

/** Who is signed in, and where. */
export type Session = Schemas['Session'];

const isUnauthorized = (error: unknown): boolean => error instanceof ApiFailure && error.status === 401;

/** The session: undefined while it is not known yet, null for nobody. */
export const useSession = (): { session: Session | null | undefined; error: unknown; retry: () => void } => {
  const { data, error, refetch } = api.useQuery('get', '/session', undefined, { staleTime: 60_000 });
  const isNobody = data === null || isUnauthorized(error);
  return { session: isNobody ? null : data, error: isNobody ? null : error, retry: () => void refetch() };
};

/** Takes from the page that nobody is signed in, where the server has written so into it. */
export const readNobody = (): void => {
  if (document.documentElement.dataset['session'] === 'none') queryClient.setQueryData(sessionKey, null);
};

/** Whether nobody is signed in any more. */
export const isSessionOver = (): boolean => {
  const { data, error } = queryClient.getQueryState(sessionKey) ?? {};
  return data === null || isUnauthorized(error);
};

/** The user who is signed in, as far as the page knows; undefined for nobody. */
export const findUserId = (): string | undefined => queryClient.getQueryData<Session | null>(sessionKey)?.user.id;

/** Whether it is this user who is signed in, as far as the page knows. */
export const isSignedIn = (userId: string): boolean => findUserId() === userId;

/** Whoever was signed in is not any more: the server has ended the session. */
export const forget = (): void => show(null);

/** From now on pages are shown to this user, and to nobody else what was loaded before. */
export const enter = (session: Session): void => show(session);

const show = (session: Session | null): void => {
  queryClient.setQueryData(sessionKey, session);
  forgetContacts();
  // Who signs in again after their session has ended finds what they had not sent.
  forgetKept(session?.user.id);
  queryClient.removeQueries({ predicate: ({ queryKey: [, path] }) => path !== sessionKey[1] });
};

/** Ends the session, which may have ended already. What was loaded in it goes, too, and so do drafts that the browser keeps. */
export const leave = async (): Promise<void> => {
  const userId = findUserId();
  const { forgetDrafts } = await import('../pages/flows/draft/open-drafts.ts');
  if (userId !== undefined) await forgetDrafts(userId);
  try {
    await client.DELETE('/session');
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 401)) throw error;
  }
  forget();
};

/** The roles of a user; each may do what those before it may. */
export const ascending = ['agent', 'editor', 'owner'] as const;

/** A role of a user. */
export type Role = (typeof ascending)[number];

/** Whether a page is shown to the user: by its role, and by what the installation has. */
export const isOffered = (
  { role = 'agent', needs }: { role?: Role; needs?: 'test_endpoint' },
  session: Session,
): boolean => mayAs(role, session) && (needs === undefined || session.installation[needs]);

/** Whether the user has at least this role. */
export const mayAs = (least: Role, { user: { role } }: Session): boolean =>
  ascending.indexOf(role) >= ascending.indexOf(least);
