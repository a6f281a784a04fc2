import { z } from 'zod';
import { givenAttachments, saysSomething } from '../../media/attachments.ts';
import { senderBody } from './sender.ts';

const foreignId = z.string().min(1).max(255);

/** An inbound message. The sending system chooses `message_id` and the sender's `external_id`. */
export const inboundBody = saysSomething(
  z.strictObject({
    message_id: foreignId.meta({ description: 'A second message with the same one is a duplicate of the first.' }),
    sender: senderBody,
    text: z.string().max(10_000).meta({ description: 'May be "" where there are attachments.' }),
    attachments: givenAttachments.optional(),
  }),
).meta({
  id: 'InboundMessage',
  example: { message_id: 'chat-4711', sender: { external_id: 'visitor-7', first_name: 'Ada' }, text: 'Hello' },
});

export type InboundMessage = z.infer<typeof inboundBody>;

/** What a contact has made of a message of before; `edited_at` is in seconds since the epoch. */
export const editedMessage = z.object({
  message_id: foreignId,
  text: inboundBody.shape.text,
  edited_at: z.int().min(0).max(100_000_000_000),
});

export type EditedMessage = z.infer<typeof editedMessage>;

export const inboundAnswer = z
  .object({
    message: z.object({ id: z.string() }),
    contact_id: z.string(),
    event_id: z
      .string()
      .nullable()
      .meta({ description: 'Of new_message: GET /v1/deliveries?event_id= lists its deliveries.' }),
    duplicate: z.boolean(),
    skipped_fields: z.array(z.object({ path: z.string(), message: z.string() })).meta({
      description:
        'Fields of the sender that do not fit, and custom fields of a new contact that were not taken, and why.',
    }),
  })
  .meta({ id: 'InboundAnswer' });
