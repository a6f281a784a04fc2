import { z } from 'zod';
import { declareEvent } from './fact.ts';
import { sampleIds } from './sample-ids.ts';

/** A handover as facts tell it; `created_at` is ISO 8601 in UTC. */
const toldHandover = z.object({
  id: z.string().meta({ description: 'As GET /v1/handovers/{id} takes it.' }),
  reason: z.string(),
  requested_by: z.enum(['contact', 'flow', 'agent', 'api']),
  conversation_id: z.string().nullable().meta({ description: 'Null if the contact had no open one.' }),
  created_at: z.iso.datetime(),
});

export type ToldHandover = z.infer<typeof toldHandover>;

export const handoverRequested = declareEvent({
  name: 'handover_requested',
  meaning: 'A contact requests, or is escalated to, a human agent',
  details:
    'Sent once for each handover. A contact has at most one open handover, and requesting it again sends nothing. `requested_by` is `contact`, `flow`, `agent` (the dashboard) or `api`. `reason` is in the words of whoever requested it. `conversation_id` is null for a contact who had no open conversation.',
  since: '0.3',
  variants: ['api', 'dashboard'],
  data: z.object({ handover: toldHandover }),
  sample: (requestedAt) => ({
    handover: {
      id: sampleIds.handover,
      reason: 'This is a test event from Parley.',
      requested_by: 'api' as const,
      conversation_id: sampleIds.conversation,
      created_at: requestedAt.toISOString(),
    },
  }),
  happened: 'Handover requested',
  tell: ({ handover }) => `Handover requested: ${handover.reason}`,
  topics: ['handovers', 'conversations'],
});
