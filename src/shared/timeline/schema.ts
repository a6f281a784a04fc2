import { z } from 'zod';
import { messageBody } from '../messages/schema.ts';
import { loggedEventBody } from '../events/schema.ts';
import { listedOrderBody } from '../orders/schema.ts';
import { runBody } from '../runs/schema.ts';

const at = z.iso.datetime().meta({ description: 'When it was, in UTC.' });

/** What a timeline is made of: a line for each type of entry, named as the object that it has. */
export const timelineEntry = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('message'), at, message: messageBody }).meta({ id: 'TimelineMessage' }),
    z.object({ type: z.literal('event'), at, event: loggedEventBody }).meta({ id: 'TimelineEvent' }),
    z.object({ type: z.literal('tag'), at, tag: z.object({ name: z.string() }) }).meta({ id: 'TimelineTag' }),
    z.object({ type: z.literal('order'), at, order: listedOrderBody }).meta({ id: 'TimelineOrder' }),
    z.object({ type: z.literal('run'), at, run: runBody }).meta({ id: 'TimelineRun' }),
  ])
  .meta({ id: 'TimelineEntry' });

export type TimelineEntry = z.infer<typeof timelineEntry>;
