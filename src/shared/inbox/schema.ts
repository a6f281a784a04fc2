import { z } from 'zod';
import { exampleId } from '../ids.ts';

/** The most channels of which conversations are counted. */
export const countedChannelsAtMost = 200;

const count = (description: string) => z.int().meta({ description });

export const inboxCountsBody = z
  .object({
    mine: count('Open ones that you look after; null for an API key.').nullable(),
    waiting: count('Open ones that wait for an agent.'),
    unassigned: count('Open ones that nobody looks after.'),
    open: count('All open ones.'),
    snoozed: count('Open ones that are snoozed: the counts above are without them.'),
    closed: count('Closed ones.'),
    by_channel: z
      .array(z.object({ channel_id: z.string().meta({ example: exampleId('channel') }), open: z.int() }))
      .max(countedChannelsAtMost)
      .meta({ description: `Open ones by channel, the most first, of up to ${countedChannelsAtMost} channels.` }),
  })
  .meta({ id: 'InboxCounts' });
