import type { z } from 'zod';
import { showSession, type sessionBody, type SignedInUser } from '../shared/accounts/schema.ts';
import { createSession, findSessionUser } from '../shared/accounts/sessions.ts';
import { rememberNetwork } from '../shared/accounts/sign-in.ts';
import { found } from '../shared/errors.ts';
import type { Sql } from '../shared/platform/db/connect.ts';
import type { ApiContext, ApiDeps } from './http.ts';
import { networkOf } from './middleware/client-address.ts';
import { sessionClient } from './session-client.ts';
import { setSessionCookie } from './session-cookie.ts';
import { changed } from '../shared/facts/changed.ts';
import type { Writer } from '../shared/facts/tell.ts';

/** A user with the token of a new session. */
export type SignedIn = { user: SignedInUser; token: string };

/** The network of a request; empty when the client has hung up meanwhile. */
export const networkOfAsker = (ctx: ApiContext): string => networkOf(ctx.state.clientAddress ?? '');

/** Remembers where a user has proved who it is: else guesses made elsewhere would lock it out there until it has signed in. */
export const rememberAsker = async (ctx: ApiContext, sql: Sql, userId: string): Promise<void> => {
  const network = networkOfAsker(ctx);
  if (network !== '') await rememberNetwork(sql, { userId, network });
};

/** Opens a session for a user who has proved who it is, and answers its token. */
export const openSession = async (
  ctx: ApiContext,
  { sql, tell }: Writer,
  user: { accountId: string; userId: string },
): Promise<string> => {
  const { accountId, userId } = user;
  await rememberAsker(ctx, sql, userId);
  await tell(changed(accountId, 'sessions'));
  return createSession(sql, userId, sessionClient(ctx));
};

/** The same, with the user of this id. */
export const signInAs = async (ctx: ApiContext, { sql, tell }: Writer, userId: string): Promise<SignedIn> => {
  await rememberAsker(ctx, sql, userId);
  const token = await createSession(sql, userId, sessionClient(ctx));
  const user = found('user', await findSessionUser(sql, token));
  await tell(changed(user.accountId, 'sessions'));
  return { token, user };
};

/** Gives the browser its session, and answers who is signed in. */
export const answerSignedIn = (
  ctx: ApiContext,
  { config, installation }: Pick<ApiDeps, 'config' | 'installation'>,
  { user, token }: SignedIn,
): z.infer<typeof sessionBody> => {
  setSessionCookie(ctx, config, token);
  return showSession(user, installation);
};
