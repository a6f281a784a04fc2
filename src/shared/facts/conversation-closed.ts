import { z } from 'zod';
import { declareEvent } from './fact.ts';
import { sampleIds } from './sample-ids.ts';

export const conversationClosed = declareEvent({
  name: 'conversation_closed',
  meaning: 'A conversation is marked as closed',
  details:
    'Sent once for each closing: by an agent or the API (`POST /v1/conversations/{id}/close`), or by the block `close_conversation` of a flow. `timestamp` says when that was, and `created_at` when the conversation was opened. Opening a conversation again and closing it again sends another one.',
  since: '0.3',
  variants: ['api'],
  data: z.object({
    conversation: z.object({
      id: z.string().meta({ description: 'As GET /v1/conversations/{id} takes it.' }),
      created_at: z.iso.datetime(),
    }),
  }),
  sample: (closedAt) => ({ conversation: { id: sampleIds.conversation, created_at: closedAt.toISOString() } }),
  happened: 'A conversation was closed',
  topics: ['conversations'],
});
