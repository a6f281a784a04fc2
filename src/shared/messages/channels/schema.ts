import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../../codec.ts';
import { endpointUrl } from '../../signing/endpoint-url.ts';
import { channelSummaries, channelTypes } from './types.ts';
import { warnings } from '../../warnings.ts';

/** The most channels of an account. They stay for good, because messages are on them. */
export const channelsPerAccount = 200;

const type = z.enum(channelTypes).meta({
  description: channelTypes.map((name) => `${name}: ${channelSummaries[name]}.`).join(' '),
});

const callbackUrl = endpointUrl.nullable().meta({
  description:
    'HTTPS address that gets the messages to contacts, as signed POSTs; publicly reachable. Without one a message counts as sent at once.',
});

/** Used exactly as it is given: nothing is trimmed. */
const secret = z.string().min(1).max(512).meta({
  description: 'Signs what goes to `callback_url`; never returned. One is made when none is given.',
});

export const newChannel = z
  .strictObject({
    type,
    name: z.string().min(1).max(200),
    callback_url: callbackUrl.optional(),
    secret: secret.optional(),
  })
  .meta({ id: 'NewChannel', example: { type: 'api', name: 'Shop', callback_url: 'https://example.com/to-visitors' } });

export const channelChanges = newChannel
  .omit({ type: true })
  .partial()
  .meta({ id: 'ChannelChanges', example: { callback_url: 'https://example.com/to-visitors' } });

export type NewChannel = z.infer<typeof newChannel>;
export type ChannelChanges = z.infer<typeof channelChanges>;

const channel = codec({
  id: id('channel'),
  type: asStored(z.string()),
  name: asStored(z.string()),
  callback_url: nullable(asStored(z.string())),
  created_at: time(),
});

export const channelBody = channel.body.meta({ id: 'Channel' });

/** A channel as it is stored, without its secret; `id` is its UUID. */
export type ChannelRow = RowOf<typeof channel>;

/** A channel as the API shows it. */
export const showChannel = channel.show;

/** The same in the one answer that shows a secret that was made. */
export const channelWithSecretBody = channel.body
  .extend({
    secret: z.string().optional().meta({ description: 'The secret that was made, shown in this answer only.' }),
    warnings,
  })
  .meta({ id: 'ChannelWithSecret' });

export const channelSecretBody = z
  .object({ secret: z.string() })
  .meta({ id: 'ChannelSecret', description: 'What signs the messages that go out. It is shown in this answer only.' });

/** What the callback url of a channel of type api gets for each message to a contact. */
export const callbackBody = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the message, the same on every attempt: discard duplicates by it.' }),
    event: z.literal('message'),
    channel: z.strictObject({ id: z.string(), type: z.string() }),
    contact: z.strictObject({
      id: z.string(),
      sender_external_id: z.string().nullable().meta({
        description:
          'The external_id of the sender in messages on this channel; null when the contact has never written there.',
      }),
    }),
    conversation: z.strictObject({ id: z.string() }),
    message: z.strictObject({
      id: z.string(),
      text: z.string(),
      image_url: z.string().nullable(),
      quick_replies: z.array(z.string()),
      client_ref: z.string().nullable(),
      created_at: z.iso.datetime(),
    }),
  })
  .meta({ id: 'CallbackMessage' });

export type CallbackBody = z.infer<typeof callbackBody>;

export const callbackExample: CallbackBody = {
  id: 'msg_01m7yvw2defakacgwsjrgb7k0y',
  event: 'message',
  channel: { id: 'chn_01m7yvw2d8fakacgw5tq1n4xwe', type: 'api' },
  contact: { id: 'con_01m7yvw2d9fakacgw7x6mj5rnw', sender_external_id: 'visitor-7' },
  conversation: { id: 'cnv_01m7yvw2dgfakacgx3k5t8w0qe' },
  message: {
    id: 'msg_01m7yvw2defakacgwsjrgb7k0y',
    text: 'Which size?',
    image_url: null,
    quick_replies: ['S', 'M', 'L'],
    client_ref: null,
    created_at: '2026-11-21T10:54:12.387Z',
  },
};
