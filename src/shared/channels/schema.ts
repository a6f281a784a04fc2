import { z } from 'zod';
import { profile } from '../contacts/schema.ts';
import { showId } from '../ids.ts';

export const newChannel = z
  .strictObject({
    type: z.enum(['api']).meta({ description: 'api: messages come in over POST /v1/channels/{id}/inbound.' }),
    name: z.string().min(1).max(200),
  })
  .meta({ id: 'NewChannel', example: { type: 'api', name: 'Shop' } });

export const channelBody = z
  .object({
    id: z.string().meta({ example: 'chn_01jd6z3qf5e8pb2zv0w8c4x1kn' }),
    type: z.string(),
    name: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Channel' });

const foreignId = z.string().min(1).max(255);

/** A message that came in: `message_id` and the sender's `external_id` are the sending system's own. */
export const inboundBody = z
  .strictObject({
    message_id: foreignId.meta({ description: 'The same one again is the same message.' }),
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
      .meta({ description: 'Of new_message: GET /v1/deliveries?event_id= shows what became of it.' }),
    duplicate: z.boolean(),
  })
  .meta({ id: 'InboundAnswer' });

/** A channel as it is stored; `id` is its UUID. */
export type ChannelRow = { id: string; type: string; name: string; createdAt: Date };

/** A channel as the API shows it. */
export const showChannel = ({ id, type, name, createdAt }: ChannelRow): z.infer<typeof channelBody> => ({
  id: showId('channel', id),
  type,
  name,
  created_at: createdAt.toISOString(),
});
