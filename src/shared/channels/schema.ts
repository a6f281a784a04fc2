import { z } from 'zod';
import { profile } from '../contacts/schema.ts';
import { asStored, codec, id, time, type RowOf } from '../codec.ts';

export const newChannel = z
  .strictObject({
    type: z.enum(['api']).meta({ description: 'api: messages come in over POST /v1/channels/{id}/inbound.' }),
    name: z.string().min(1).max(200),
  })
  .meta({ id: 'NewChannel', example: { type: 'api', name: 'Shop' } });

const channel = codec({
  id: id('channel', z.string().meta({ example: 'chn_01jd6z3qf5e8pb2zv0w8c4x1kn' })),
  type: asStored(z.string()),
  name: asStored(z.string()),
  created_at: time(),
});

export const channelBody = channel.body.meta({ id: 'Channel' });

/** A channel as it is stored; `id` is its UUID. */
export type ChannelRow = RowOf<typeof channel>;

/** A channel as the API shows it. */
export const showChannel = channel.show;

const foreignId = z.string().min(1).max(255);

/** An inbound message. The sending system chooses `message_id` and the sender's `external_id`. */
export const inboundBody = z
  .strictObject({
    message_id: foreignId.meta({ description: 'A second message with the same one is a duplicate of the first.' }),
    sender: profile.extend({ external_id: foreignId }),
    text: z.string().min(1).max(10_000),
  })
  .meta({
    id: 'InboundMessage',
    example: { message_id: 'chat-4711', sender: { external_id: 'visitor-7', first_name: 'Ada' }, text: 'Hello' },
  });

export type InboundMessage = z.infer<typeof inboundBody>;

export const inboundAnswer = z
  .object({
    message: z.object({ id: z.string() }),
    contact_id: z.string(),
    event_id: z
      .string()
      .nullable()
      .meta({ description: 'Of new_message: GET /v1/deliveries?event_id= lists its deliveries.' }),
    duplicate: z.boolean(),
  })
  .meta({ id: 'InboundAnswer' });
