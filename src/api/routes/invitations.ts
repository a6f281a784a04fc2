import { RequestError } from '../../shared/errors.ts';
import {
  createInvitationLink,
  invite,
  inviteAgain,
  listInvitations,
  withdrawInvitation,
} from '../../shared/users/invitations.ts';
import { invitationBody, invitationLinkBody, newUser, showInvitation } from '../../shared/users/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiContext, ApiDeps } from '../http.ts';
import type { Principal } from '../principal.ts';
import { listOf, listQuery, showPage } from '../lists.ts';
import { requireUser } from '../roles.ts';
import { usersTag } from './users.ts';
import { createTryBudget, takeTry } from '../try-budget.ts';

/** Mails of invitations that an account may have sent in an hour: enough for a whole team, and too few to annoy strangers with. */
const mails = { tries: 50, windowSeconds: 60 * 60 };

/** Who is invited to an account. */
export const invitationRoutes = (deps: ApiDeps): Resource => {
  const { config, installation } = deps;
  const invitations = createResource(deps, { tag: usersTag, doors: ['dashboard'] });
  const ofAccounts = createTryBudget(mails);
  const ownerOf = (principal: Principal) => ({
    accountId: principal.accountId,
    by: requireUser(principal).userId,
  });
  const sender = (ctx: ApiContext, principal: Principal) => {
    takeTry(ctx, ofAccounts, principal.accountId);
    return { ...ownerOf(principal), baseUrl: config.baseUrl };
  };
  endpoint(
    invitations,
    {
      id: 'inviteUser',
      method: 'post',
      path: '/users',
      summary: 'Invite a user',
      description: `Accepting it creates the user. At most ${mails.tries} mails an hour.`,
      role: 'owner',
      idempotent: true,
      body: newUser,
      answers: { 201: invitationBody },
      refusals: {
        409: 'For a user of the account, for one who is invited already, and beyond the most users of an account.',
      },
    },
    async ({ ctx, tx, principal, body }) => showInvitation(await invite(tx, { ...sender(ctx, principal), ...body })),
  );
  endpoint(
    invitations,
    {
      id: 'listInvitations',
      method: 'get',
      path: '/invitations',
      summary: 'List open invitations',
      role: 'owner',
      query: listQuery,
      answers: { 200: listOf(invitationBody) },
    },
    ({ principal: { accountId }, query }) =>
      showPage(query, (page) => deps.reads(accountId, (sql) => listInvitations(sql, accountId, page)), showInvitation),
  );
  endpoint(
    invitations,
    {
      id: 'resendInvitation',
      method: 'post',
      path: '/invitations/:id/resend',
      summary: 'Send an invitation again',
      description: 'At most once in five minutes. The three latest links are valid.',
      role: 'owner',
      noun: 'invitation',
      idempotent: true,
      answers: { 202: invitationBody },
    },
    async ({ ctx, tx, principal, id }) => showInvitation(await inviteAgain(tx, { ...sender(ctx, principal), id })),
  );
  endpoint(
    invitations,
    {
      id: 'createInvitationLink',
      method: 'post',
      path: '/invitations/:id/link',
      summary: 'Create a link that accepts an invitation',
      description:
        'For an installation without a mail server: pass the link on yourself. It works once, within seven days. Each call creates a new one; the three latest are valid.',
      role: 'owner',
      noun: 'invitation',
      answers: { 201: invitationLinkBody },
      refusals: { 409: 'Where mails are sent: only a link that goes to the address proves who opens it.' },
    },
    async ({ principal, id }) => {
      if (installation.sends_mail)
        throw new RequestError('conflict', 'This installation sends mail. Send the invitation again instead.');
      const { baseUrl } = config;
      const link = await deps.transact((tx) => createInvitationLink(tx, { ...ownerOf(principal), id, baseUrl }));
      return { url: link.url, expires_at: link.expiresAt.toISOString() };
    },
  );
  endpoint(
    invitations,
    {
      id: 'withdrawInvitation',
      method: 'delete',
      path: '/invitations/:id',
      summary: 'Withdraw an invitation',
      description: 'Its links stop working.',
      role: 'owner',
      noun: 'invitation',
      answers: { 204: null },
    },
    ({ principal, id }) => deps.transact((tx) => withdrawInvitation(tx, { ...ownerOf(principal), id })),
  );
  return invitations;
};
