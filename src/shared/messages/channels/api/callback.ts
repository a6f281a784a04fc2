import { z } from 'zod';
import { toldAttachment } from '../../../media/attachments.ts';

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
      attachments: z.array(toldAttachment).optional().meta({
        description: 'Where the message has any. `GET /v1/media/{id}` has links to a file.',
      }),
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
