import { z } from 'zod';
import { declareEvent } from './fact.ts';
import { sampleIds } from './sample-ids.ts';

const message = z.object({ id: z.string(), text: z.string(), direction: z.enum(['inbound', 'outbound']) });

export const newMessage = declareEvent({
  name: 'new_message',
  meaning: 'A contact sends a message on a connected channel',
  since: '0.1',
  variants: ['api', 'dashboard'],
  data: z.object({ message: message.extend({ sent_at: z.iso.datetime() }) }),
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
