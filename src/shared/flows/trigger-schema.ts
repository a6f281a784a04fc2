import { z } from 'zod';
import { showId } from '../ids.ts';
import { triggerTypes } from './definition/triggers.ts';
import type { TriggerRow } from './triggers.ts';
import type { Loss } from './who-wins.ts';

const liveTrigger = z
  .object({
    flow_id: z.string(),
    flow_name: z.string(),
    type: z.enum(triggerTypes),
    priority: z.int(),
    match: z.enum(['exact', 'contains', 'prefix']).nullable(),
    words: z.array(z.string()).nullable().meta({
      description: 'As they are compared: in small letters. Of start_link the payload as it is; null for any.',
    }),
    interrupt: z.boolean(),
    tag: z.string().nullable(),
    status: z.string().nullable().meta({ description: 'Of order_status_changed; null for any.' }),
    never_wins: z.boolean().meta({ description: 'Whether others take all that it is for.' }),
    loses: z.array(z.object({ word: z.string().nullable(), to_flow_id: z.string(), to_flow_name: z.string() })).meta({
      description: 'Input that another trigger always takes first; `word` is null if it has no words.',
    }),
  })
  .meta({ id: 'LiveTrigger' });

/** All of them in one page, as they are few. */
export const liveTriggers = z
  .object({ data: z.array(liveTrigger), next_cursor: z.null() })
  .meta({ id: 'LiveTriggers' });

/** Triggers as the API shows them, with what each can never get. */
export const showTriggers = (
  triggers: readonly TriggerRow[],
  losses: readonly (readonly Loss[])[],
): z.infer<typeof liveTriggers> => ({
  data: triggers.map(({ flowId, flowName, place: _place, ...trigger }, index) => {
    const lost = losses[index] ?? [];
    return {
      flow_id: showId('flow', flowId),
      flow_name: flowName,
      ...trigger,
      never_wins: lost.length > 0 && lost.length === (trigger.words?.length ?? 1),
      loses: lost.map(({ word, to }) => ({ word, to_flow_id: showId('flow', to.flowId), to_flow_name: to.flowName })),
    };
  }),
  next_cursor: null,
});
