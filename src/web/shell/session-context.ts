import { createContext, use } from 'react';
import type { Session } from '../api/session.ts';

/** The session of the pages below. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Who is signed in. Only for pages, which are shown to nobody else. */
export const useSignedIn = (): Session => {
  const session = use(SessionContext);
  if (!session) throw new Error('This page is shown without a session.');
  return session;
};
