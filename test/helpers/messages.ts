import { createContact } from '../../src/shared/contacts/queries.ts';
import { prepareChannel } from '../../src/shared/messages/channels/manage.ts';
import { insertChannel } from '../../src/shared/messages/channels/queries.ts';
import { findMessage } from '../../src/shared/messages/queries.ts';
import type { MessageRow } from '../../src/shared/messages/schema.ts';
import { sendMessage } from '../../src/shared/messages/outbound/send-message.ts';
import { showId } from '../../src/shared/ids.ts';
import type { DeliveryWorld } from './delivery-world.ts';

/** In the form of Standard Webhooks, whose libraries take no other. */
export const channelSecret = `whsec_${Buffer.from('the secret of the channel').toString('base64')}`;

type Account = Pick<
  DeliveryWorld,
  'db' | 'egress' | 'secrets' | 'transact' | 'channelKinds' | 'log' | 'config' | 'accountId'
>;

/** A channel of the account that sends to this url, or nowhere; answers its UUID. */
export const aChannel = async (world: Account, url: string | null): Promise<string> => {
  const asked = { type: 'api', name: 'Shop', callback_url: url, secret: channelSecret } as const;
  const { row } = await prepareChannel(world, world.accountId, asked);
  return (await insertChannel(world.db, world.accountId, row)).id;
};

/** A conversation to be: a new contact of the account, and a channel. */
export type Talk = { contactId: string; channelId: string };

export const aTalk = async (world: Account, channelId: string): Promise<Talk> => {
  const { id: contactId } = await world.transact((tx) => createContact(tx, world.accountId, {}));
  return { contactId, channelId };
};

/** Queues a message as a caller does; answers its UUID. */
export const send = async (
  { transact, channelKinds, accountId }: Account,
  { contactId, channelId }: Talk,
  text = 'Hello',
): Promise<string> => {
  const message = { text, channel_id: showId('channel', channelId) };
  return (await transact((tx) => sendMessage(tx, { accountId, contactId, message, channelKinds }))).id;
};

/** The message as it is now. */
export const readMessage = async ({ db, accountId }: Account, id: string): Promise<MessageRow> => {
  const row = await findMessage(db, accountId, id);
  if (!row) throw new Error(`no message ${id}`);
  return row;
};

/** The ids of the workflows of sendings that committed transactions asked for, in order. */
export const sendingsOf = ({ dispatched }: DeliveryWorld): string[] =>
  dispatched.flatMap(({ work, row }) => (work.kind === 'sending' ? [work.workflowId(row)] : []));
