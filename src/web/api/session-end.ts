import { queryClient } from './query-client.ts';

/** Where the session is kept. */
export const sessionKey = ['get', '/session'] as const;

const endedKey = ['session-ended'] as const;

/** The server has ended the session, and its user has not. */
export const markEnded = (): void => {
  // What is still answered after somebody has signed out is no news to them.
  if (queryClient.getQueryData(sessionKey)) queryClient.setQueryData(endedKey, true);
  queryClient.setQueryData(sessionKey, null);
};

/** Whether the session that was there has ended by itself. */
export const hasEnded = (): boolean => queryClient.getQueryData(endedKey) === true;
