import { setTimeout as sleep } from 'node:timers/promises';
import { normalizeEmail } from '../../shared/accounts/email.ts';
import { sessionBody } from '../../shared/accounts/schema.ts';
import type { LinkKind } from '../../shared/mail/types.ts';
import { hashPassword } from '../../shared/platform/secrets/passwords.ts';
import { acceptInvitation, previewInvitation } from '../../shared/users/invitations.ts';
import { requireGoodToken } from '../../shared/users/link-tokens.ts';
import { resetPassword, sendPasswordReset } from '../../shared/users/password-reset.ts';
import {
  acceptanceBody,
  forgottenBody,
  invitationPreviewBody,
  passwordResetBody,
  previewBody,
} from '../../shared/users/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiContext, ApiDeps } from '../http.ts';
import { answerSignedIn, networkOfAsker, rememberAsker, signInAs } from '../open-session.ts';
import { createPasswordSlots } from '../password-slots.ts';
import { createTryBudget, takeTry } from '../try-budget.ts';
import { sessionTag } from './session.ts';

const windowSeconds = 15 * 60;
/** Mails that a network may ask for, and that may be asked for an e-mail address, whether it is a user's or not. */
const mailsOfNetwork = 20;
const mailsOfEmail = 5;
/** Links that a network may open. */
const linksOfNetwork = 100;

/** When the request for a mail is answered: later than what a user's mail takes, so that the time does not tell who is a user. */
const answerAfterMs = 250;

/** What needs no session, because the token of a link in a mail proves who asks; and the request for such a mail. */
export const mailedLinkRoutes = (deps: ApiDeps): Resource => {
  const links = createResource(deps, { tag: sessionTag, doors: ['dashboard'] });
  addForgotten(links, deps);
  addOpening(links, deps);
  return links;
};

const addForgotten = (links: Resource, { transact, config: { baseUrl } }: ApiDeps): void => {
  const ofNetworks = createTryBudget({ tries: mailsOfNetwork, windowSeconds });
  const ofEmails = createTryBudget({ tries: mailsOfEmail, windowSeconds });
  endpoint(
    links,
    {
      id: 'requestPasswordReset',
      method: 'post',
      path: '/password-reset',
      summary: 'Request a link that sets a new password',
      description:
        'Always gives the same answer after the same time, so that it does not reveal who is a user. A user gets at most one mail in five minutes.',
      role: 'anyone',
      before: async (ctx) => takeTry(ctx, ofNetworks, networkOfAsker(ctx)),
      body: forgottenBody,
      answers: { 204: null },
    },
    async ({ ctx, body: { email } }) => {
      takeTry(ctx, ofEmails, normalizeEmail(email));
      await Promise.all([transact((tx) => sendPasswordReset(tx, { email, baseUrl })), sleep(answerAfterMs)]);
    },
  );
};

const addOpening = (links: Resource, deps: ApiDeps): void => {
  const { db, transact } = deps;
  const ofNetworks = createTryBudget({ tries: linksOfNetwork, windowSeconds });
  const inSlot = createPasswordSlots();
  const before = async (ctx: ApiContext) => takeTry(ctx, ofNetworks, networkOfAsker(ctx));
  /** The hash of a password that is chosen by a link. A guess of a token costs none. */
  const hashByLink = async (
    ctx: ApiContext,
    kind: LinkKind,
    { token, password }: { token: string; password: string },
  ): Promise<string> => {
    await requireGoodToken(db, kind, token);
    return inSlot(networkOfAsker(ctx), () => hashPassword(password));
  };
  endpoint(
    links,
    {
      id: 'resetPassword',
      method: 'put',
      path: '/password-reset',
      summary: 'Set a new password by the link of a mail',
      description: 'The link works once, within an hour. It ends all sessions of the user, who then signs in.',
      role: 'anyone',
      before,
      body: passwordResetBody,
      answers: { 204: null },
    },
    async ({ ctx, body: { token, new_password: password } }) => {
      const passwordHash = await hashByLink(ctx, 'password_reset', { token, password });
      await transact(async (tx) => rememberAsker(ctx, tx.sql, await resetPassword(tx, { token, passwordHash })));
    },
  );
  endpoint(
    links,
    {
      id: 'previewInvitation',
      method: 'post',
      path: '/invitations/preview',
      summary: 'Read an invitation by its link',
      description: 'The link stays valid.',
      role: 'anyone',
      before,
      body: previewBody,
      answers: { 200: invitationPreviewBody },
    },
    async ({ body: { token } }) => {
      const { accountName, ...invited } = await previewInvitation(db, token);
      return { ...invited, account_name: accountName };
    },
  );
  endpoint(
    links,
    {
      id: 'acceptInvitation',
      method: 'post',
      path: '/invitations/accept',
      summary: 'Accept an invitation by the link of its mail',
      description:
        'The link works once, within seven days. Creates the user with this password and signs in: sets the session cookie.',
      role: 'anyone',
      before,
      body: acceptanceBody,
      answers: { 200: sessionBody },
      refusals: { 409: 'The e-mail address belongs to a user already.' },
    },
    async ({ ctx, body }) => {
      const passwordHash = await hashByLink(ctx, 'invitation', body);
      const signedIn = await transact(async (tx) =>
        signInAs(ctx, tx, await acceptInvitation(tx, { token: body.token, name: body.name, passwordHash })),
      );
      return answerSignedIn(ctx, deps, signedIn);
    },
  );
};
