import { z } from 'zod';
import { toldAttachment } from '../media/attachments.ts';
import { declareEvent } from './fact.ts';
import { sampleIds } from './sample-ids.ts';

const message = z.object({ id: z.string(), text: z.string(), direction: z.enum(['inbound', 'outbound']) });

export const newMessage = declareEvent({
  name: 'new_message',
  meaning: 'A contact sends a message on a connected channel',
  details:
    '`data.message` has `attachments` where there are any: files (`id`, `type`, `name`, `content_type`, `size`, `width`, `height`), locations and contact cards. The text may be empty then. `GET /v1/media/{id}` has links to a file.',
  since: '0.1',
  variants: ['api', 'dashboard'],
  data: z.object({
    message: message.extend({
      sent_at: z.iso.datetime(),
      attachments: z.array(toldAttachment).optional().meta({ description: 'Where the message has any.' }),
    }),
  }),
  dashboardData: z.object({ message }),
  sample: (sentAt) => ({
    message: {
      id: sampleIds.message,
      text: 'Hello! This is a test event from Parley.',
      direction: 'inbound' as const,
      sent_at: sentAt.toISOString(),
    },
  }),
  happened: 'Wrote a message',
  tell: ({ message: { text } }) => `Wrote: ${text}`,
  topics: ['messages', 'conversations'],
});
