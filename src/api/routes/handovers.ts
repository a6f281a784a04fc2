import { contactLine } from '../../shared/contacts/lock-contact.ts';
import { findHandoverSettings, updateHandoverSettings } from '../../shared/accounts/handover-settings.ts';
import { found } from '../../shared/errors.ts';
import { assignHandover } from '../../shared/handovers/assign.ts';
import { findHandover, listHandovers } from '../../shared/handovers/queries.ts';
import { isRecipient, recipientsAtMost, setRecipient } from '../../shared/handovers/recipients.ts';
import { requestHandover } from '../../shared/handovers/request.ts';
import {
  handoverBody,
  handoverChanges,
  handoverFilters,
  handoverMailsBody,
  handoverResolution,
  handoverSettingChanges,
  handoverSettingsBody,
  newHandover,
  showHandover,
  showHandoverSettings,
} from '../../shared/handovers/schema.ts';
import { resolveHandover } from '../../shared/handovers/end.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';
import { requireUser } from '../roles.ts';

const handoverTag = { name: 'Handovers', description: 'Contacts that agents take over from flows.' };

/** Contacts that people deal with, in place of flows. */
export const handoverRoutes = (deps: ApiDeps): Resource => {
  const handovers = createResource(deps, { tag: handoverTag, doors: ['v1', 'dashboard'] });
  addWriting(handovers, deps);
  addReading(handovers, deps);
  addSettings(handovers, deps);
  return handovers;
};

const addWriting = (handovers: Resource, deps: ApiDeps): void => {
  endpoint(
    handovers,
    {
      id: 'requestHandover',
      method: 'post',
      path: '/handovers',
      summary: 'Request a handover',
      description:
        'Sends handover_requested. A contact has at most one open handover: a second request returns it and sends nothing.',
      role: 'agent',
      idempotent: true,
      body: newHandover,
      answers: { 200: handoverBody },
      refusals: { 404: 'The account has no such contact or conversation.', 409: 'The conversation is closed.' },
    },
    {
      line: ({ body: { contact_id: contactId, conversation_id: conversationId } }) =>
        contactId === undefined ? `conversation/${conversationId}` : contactLine(contactId),
      handle: async ({ tx, principal: { accountId, userId }, body: asked }) =>
        showHandover(
          await requestHandover(tx, {
            accountId,
            asked,
            requestedBy: userId === undefined ? 'api' : 'agent',
            byUserId: userId,
          }),
        ),
    },
  );
  endpoint(
    handovers,
    {
      id: 'changeHandover',
      method: 'patch',
      path: '/handovers/:id',
      summary: 'Assign a handover, or unassign it',
      description: 'An ended handover stays as it is.',
      role: 'agent',
      noun: 'handover',
      body: handoverChanges,
      answers: { 200: handoverBody },
    },
    async ({ principal: { accountId, userId: byUserId }, id, body: { assigned_to: userId } }) =>
      showHandover(await deps.transact((tx) => assignHandover(tx, { accountId, id, userId, byUserId }))),
  );
  endpoint(
    handovers,
    {
      id: 'resolveHandover',
      method: 'post',
      path: '/handovers/:id/resolve',
      summary: 'Resolve a handover',
      description: 'An ended handover stays as it is.',
      role: 'agent',
      noun: 'handover',
      idempotent: true,
      body: handoverResolution,
      answers: { 200: handoverBody },
    },
    async ({ tx, principal: { accountId, userId: byUserId }, id, body: { outcome } }) =>
      showHandover(await resolveHandover(tx, { accountId, id, outcome, byUserId })),
  );
};

const addReading = (handovers: Resource, deps: ApiDeps): void => {
  endpoint(
    handovers,
    {
      id: 'listHandovers',
      method: 'get',
      path: '/handovers',
      summary: 'List handovers, newest first',
      role: 'agent',
      query: listQuery.extend(handoverFilters),
      answers: { 200: listOf(handoverBody) },
    },
    ({ principal: { accountId }, query: { limit, cursor, ...filter } }) =>
      showPage(
        { limit, cursor },
        (page) => deps.reads(accountId, (sql) => listHandovers(sql, accountId, { filter, page })),
        showHandover,
      ),
  );
  endpoint(
    handovers,
    {
      id: 'getHandover',
      method: 'get',
      path: '/handovers/:id',
      summary: 'Read a handover',
      role: 'agent',
      noun: 'handover',
      answers: { 200: handoverBody },
    },
    async ({ principal, id }) => showHandover(found('handover', await findHandover(deps.db, principal.accountId, id))),
  );
};

const addSettings = (handovers: Resource, { db, autocommit }: ApiDeps): void => {
  endpoint(
    handovers,
    {
      id: 'getHandoverSettings',
      method: 'get',
      path: '/handover-settings',
      summary: "Read the account's settings for handovers",
      role: 'agent',
      answers: { 200: handoverSettingsBody },
    },
    async ({ principal }) => showHandoverSettings(await findHandoverSettings(db, principal.accountId)),
  );
  endpoint(
    handovers,
    {
      id: 'updateHandoverSettings',
      method: 'patch',
      path: '/handover-settings',
      summary: "Change the account's settings for handovers",
      role: 'editor',
      body: handoverSettingChanges,
      answers: { 200: handoverSettingsBody },
    },
    async ({ principal: { accountId }, body: { words, expire_after_hours: expireAfterHours } }) =>
      showHandoverSettings(
        await autocommit((statement) => updateHandoverSettings(statement, accountId, { words, expireAfterHours })),
      ),
  );
};

/** The signed-in user's own choice. */
export const handoverMailRoutes = (deps: ApiDeps): Resource => {
  const mails = createResource(deps, { tag: handoverTag, doors: ['dashboard'] });
  endpoint(
    mails,
    {
      id: 'getHandoverMails',
      method: 'get',
      path: '/handover-mails',
      summary: 'Read whether you get mails about handovers',
      role: 'agent',
      answers: { 200: handoverMailsBody },
    },
    async ({ principal }) => ({ notify_handovers: await isRecipient(deps.db, requireUser(principal).userId) }),
  );
  endpoint(
    mails,
    {
      id: 'changeHandoverMails',
      method: 'put',
      path: '/handover-mails',
      summary: 'Turn your mails about handovers on or off',
      description: `At most ${recipientsAtMost} users of an account get them. You also get one for handovers you request yourself.`,
      role: 'agent',
      body: handoverMailsBody,
      answers: { 200: handoverMailsBody },
      refusals: { 409: `${recipientsAtMost} users get them already.` },
    },
    async ({ principal, body }) => {
      const { accountId } = principal;
      const { userId } = requireUser(principal);
      await deps.transact((tx) => setRecipient(tx, { accountId, userId, isWanted: body.notify_handovers }));
      return body;
    },
  );
  return mails;
};
