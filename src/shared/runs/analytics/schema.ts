import { z } from 'zod';
import { asStored, codec, nullable } from '../../codec.ts';
import type { FlowAnalytics } from './read-blocks.ts';

export const analyticsQuery = z.strictObject({
  version: z.coerce.number().int().min(1).max(1_000_000).optional().meta({ description: 'Only runs of this version.' }),
});

const ports = (description: string) => asStored(z.record(z.string(), z.int()).meta({ description }));

const block = codec({
  block_id: asStored(z.string()),
  entered: asStored(z.int().meta({ description: 'How often runs came to it.' })),
  left: ports('How often each port was taken and the run went on or completed.'),
  ended: asStored(z.int().meta({ description: 'How often runs ended at it, or left it without a port.' })),
  failed: asStored(z.int().meta({ description: 'How often runs failed at it.' })),
  failed_by: ports('Of the failures, those by a port behind which nothing follows.'),
  timed_out: asStored(z.int().meta({ description: 'How often the port `timeout` was taken.' })),
  cancelled: asStored(z.int().meta({ description: 'How often runs were cancelled at it.' })),
  cancelled_by: ports('The cancelled ones by their reason.'),
  here: asStored(
    z
      .object({ count: z.int(), more: z.boolean() })
      .meta({ description: 'Runs that are at it now. `more`: there are more than are counted.' }),
  ),
  before: nullable(asStored(z.int()), {
    description:
      'Runs that were at it before `since`. Null where `here` has more, and while the flow is paused, when runs wait at blocks that they have left.',
  }),
  uncounted: asStored(
    z.int().meta({ description: 'Runs that came and whose end was not counted, as of contacts who were erased.' }),
  ),
  median_ms: nullable(asStored(z.number()), { description: 'From entering to leaving it; of what left it.' }),
});

export const flowAnalyticsBody = z
  .object({
    since: z.iso.datetime().meta({ description: 'Seven days ago, at the full hour; later with `since_capped`.' }),
    since_capped: z
      .boolean()
      .meta({ description: 'Seven days have more than is read, 300,000 rows: hours before `since` are left out.' }),
    live_capped: z.boolean().meta({ description: 'The last minutes have more than is read: numbers follow later.' }),
    blocks: z.array(block.body).meta({
      description:
        'For each, `before + entered = left + ended + failed + cancelled + here + uncounted`, where `before` is not null.',
    }),
  })
  .meta({ id: 'FlowAnalytics' });

export const showAnalytics = ({
  since,
  isShort,
  isCapped,
  blocks,
}: FlowAnalytics): z.infer<typeof flowAnalyticsBody> => ({
  since: since.toISOString(),
  since_capped: isShort,
  live_capped: isCapped,
  blocks: blocks.map(block.show),
});
