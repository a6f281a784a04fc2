import { z } from 'zod';
import { messageBody } from '../conversations/schema.ts';
import { loggedEventBody } from '../events/schema.ts';
import { listedOrderBody } from '../orders/schema.ts';
import { runBody } from '../runs/schema.ts';

const at = z.iso.datetime().meta({ description: 'When it was, in UTC.' });

/** What a timeline is made of: a line for each type of entry, named as the object that it has. */
export const timelineEntry = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('message'), at, message: messageBody }),
    z.object({ type: z.literal('event'), at, event: loggedEventBody }),
    z.object({ type: z.literal('tag'), at, tag: z.object({ name: z.string() }) }),
    z.object({ type: z.literal('order'), at, order: listedOrderBody }),
    z.object({ type: z.literal('run'), at, run: runBody }),
  ])
  .meta({ id: 'TimelineEntry' });

export type TimelineEntry = z.infer<typeof timelineEntry>;
