import {
  createChannel,
  deleteChannel,
  prepareChannel,
  rotateChannelSecret,
  updateChannel,
} from '../../shared/messages/channels/manage.ts';
import { findChannel, listChannels } from '../../shared/messages/channels/queries.ts';
import {
  channelSecretBody,
  channelsPerAccount,
  createChannelSchemas,
  type ChannelRow,
  type ShownChannel,
} from '../../shared/messages/channels/schema.ts';
import { withSenderPhone } from '../../shared/messages/inbound/sender-phone.ts';
import { receive } from '../../shared/messages/inbound/receive.ts';
import type { Received } from '../../shared/messages/inbound/message.ts';
import { receiveInTransaction } from '../../shared/messages/inbound/receive-in-transaction.ts';
import { inboundAnswer, inboundBody } from '../../shared/messages/inbound/schema.ts';
import { found } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { maskUrl } from '../../shared/platform/mask-url.ts';
import { withWarnings } from '../../shared/warnings.ts';
import { endpoint } from '../endpoint.ts';
import { seedOf } from '../idempotency.ts';
import { createResource, type FindMore, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import type { Principal } from '../principal.ts';
import { listOf, listQuery, showPage } from '../lists.ts';
import { mayAs } from '../roles.ts';

/** Where contacts write and are written to, and the way in for messages over channels of type api. */
export const channelRoutes = (deps: ApiDeps): Resource => {
  const channels = createResource(deps, {
    tag: { name: 'Channels', description: 'Where contacts write, and the way in for their messages.' },
    doors: ['v1', 'dashboard'],
  });
  const schemas = createChannelSchemas(deps.channelKinds);
  addWriting(channels, deps, schemas);
  addReading(channels, deps, schemas);
  addInbound(channels, deps);
  return channels;
};

type Schemas = ReturnType<typeof createChannelSchemas>;

const addWriting = (channels: Resource, deps: ApiDeps, schemas: Schemas): void => {
  const { newChannel, channelChanges, channelWithSecretBody, entered } = schemas;
  const showWithSecret = (row: ChannelRow, made: string | undefined) => ({
    ...schemas.showChannel(row),
    ...(made !== undefined && { secret: made }),
  });
  /** So that its sender learns all that is wrong at once. */
  const findMore: FindMore = async ({ accountId }, given) => {
    const checks = Object.values(deps.channelKinds).flatMap((kind) => kind.checks ?? []);
    return (await Promise.all(checks.map((check) => check.findProblemsOfBody(deps, accountId, given)))).flat();
  };
  endpoint(
    channels,
    {
      id: 'createChannel',
      method: 'post',
      path: '/channels',
      summary: 'Create a channel',
      description:
        'One with a `callback_url` and no `secret`, and one of type webchat, gets a secret, which only this answer shows.',
      role: 'editor',
      idempotent: true,
      body: newChannel,
      findMore,
      answers: { 201: channelWithSecretBody },
      refusals: { 409: `When the account has ${channelsPerAccount}.` },
    },
    {
      prepare: async ({ ctx, principal: { accountId }, body }) =>
        prepareChannel(deps, accountId, body, await seedOf(ctx)),
      handle: async ({ tx, principal: { accountId }, body, prepared: { row, made, created } }) =>
        withWarnings(showWithSecret(created ?? (await createChannel(tx, accountId, row)), made), body, entered),
    },
  );
  endpoint(
    channels,
    {
      id: 'updateChannel',
      method: 'patch',
      path: '/channels/:id',
      summary: 'Change a channel',
      description:
        'Takes effect at once, also for queued messages. null removes the URL. A replaced secret also signs for 24 hours, only in `webhook-signature`. A first URL without a secret generates one, which only this answer shows.',
      role: 'editor',
      noun: 'channel',
      body: channelChanges,
      findMore,
      answers: { 200: channelWithSecretBody },
    },
    async ({ principal: { accountId }, id, body: changes }) => {
      const { row, made } = await updateChannel(deps, accountId, { id, changes });
      return withWarnings(showWithSecret(row, made), changes, entered);
    },
  );
  endpoint(
    channels,
    {
      id: 'rotateChannelSecret',
      method: 'post',
      path: '/channels/:id/rotate-secret',
      summary: 'Rotate the secret of a channel',
      description:
        'Takes effect at once. The replaced secret also signs for 24 hours, only in `webhook-signature`. Of type webchat, hashes by it prove identities for 24 hours.',
      role: 'editor',
      noun: 'channel',
      idempotent: true,
      answers: { 200: channelSecretBody },
      refusals: { 409: 'When channels of its type have no secret.' },
    },
    async ({ tx: { sql, tell }, principal: { accountId }, id }) => ({
      secret: await rotateChannelSecret({ ...deps, sql, tell }, { accountId, id }),
    }),
  );
  endpoint(
    channels,
    {
      id: 'deleteChannel',
      method: 'delete',
      path: '/channels/:id',
      summary: 'Delete a channel',
      description:
        'Nothing comes in or goes out over it any more: messages that wait are failed. Its contacts and conversations stay.',
      role: 'editor',
      noun: 'channel',
      answers: { 204: null },
    },
    ({ principal: { accountId }, id }) => deleteChannel(deps, accountId, id),
  );
};

const isUrl = /^https?:/i;

const addReading = (channels: Resource, deps: ApiDeps, { channelBody, showChannel }: Schemas): void => {
  /** Who may not change a channel gets no tokens of its urls either. */
  const showTo =
    (principal: Principal) =>
    (row: ChannelRow): ShownChannel =>
      mayAs('editor', principal)
        ? showChannel(row)
        : showChannel(row, (value) => (typeof value === 'string' && isUrl.test(value) ? maskUrl(value) : value));
  endpoint(
    channels,
    {
      id: 'listChannels',
      method: 'get',
      path: '/channels',
      summary: 'List channels, newest first',
      role: 'agent',
      query: listQuery,
      answers: { 200: listOf(channelBody) },
    },
    ({ principal, query }) => {
      const { accountId } = principal;
      const read = (page: Parameters<typeof listChannels>[2]) =>
        deps.reads(accountId, (db) => listChannels(db, accountId, page));
      return showPage(query, read, showTo(principal));
    },
  );
  endpoint(
    channels,
    {
      id: 'getChannel',
      method: 'get',
      path: '/channels/:id',
      summary: 'Read a channel',
      role: 'agent',
      noun: 'channel',
      answers: { 200: channelBody },
    },
    async ({ principal, id }) =>
      showTo(principal)(found('channel', await findChannel(deps.db, principal.accountId, id))),
  );
};

const addInbound = (channels: Resource, { db, autocommit, inbound }: ApiDeps): void =>
  endpoint(
    channels,
    {
      id: 'receiveMessage',
      method: 'post',
      path: '/channels/:id/inbound',
      summary: 'Send an incoming message to Parley',
      description:
        'Sends new_message, and new_contact before it when the sender is new. Safe to retry: a repeated message_id is ignored. Parley accepts a message even if fields of its sender are invalid: `skipped_fields` names them. A list is processed in order and counts as that many requests; one bad message does not affect the others.',
      role: 'agent',
      noun: 'channel',
      idempotent: true,
      body: inboundBody,
      repairsTexts: true,
      list: { most: 100, maxValues: 25_000 },
      bodyLimit: 1_088 * 1024,
      answers: { 202: inboundAnswer },
    },
    {
      line: ({ id, body: { sender } }) => `sender/${id}/${sender.external_id}`,
      direct: async ({ principal: { accountId }, id, body }) => {
        const message = await withSenderPhone(db, accountId, body);
        const received = await receive({ autocommit, inbound }, { accountId, channelId: id, message });
        return received && showReceived(received);
      },
      handle: async ({ tx, principal: { accountId }, id, body }) => {
        const message = await withSenderPhone(tx.sql, accountId, body);
        return showReceived(await receiveInTransaction(tx, { accountId, channelId: id, message }));
      },
    },
  );

const showReceived = ({ messageId, contactId, eventId, duplicate, skipped }: Received) => ({
  message: { id: showId('message', messageId) },
  contact_id: showId('contact', contactId),
  event_id: eventId === null ? null : showId('event', eventId),
  duplicate,
  skipped_fields: [...skipped],
});
