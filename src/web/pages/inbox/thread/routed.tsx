import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import * as z from 'zod/mini';
import { words } from '../words.ts';

/** Who got a message of the contact, as far as this page tells it. */
const routed = z.union([
  z.object({ to: z.enum(['run', 'flow']), run_id: z.string(), kept: z.optional(z.literal(true)) }),
  z.object({ to: z.literal('consent'), word: z.enum(['stop', 'start']) }),
  z.object({ to: z.literal('handover') }),
  z.object({
    to: z.literal('nobody'),
    because: z.enum([
      'unsubscribed',
      'blocked',
      'silence',
      'no_trigger',
      'in_flow_already',
      'passed_over',
      'loop_guard',
      'backlog',
    ]),
    run_id: z.optional(z.string()),
  }),
]);

const wayOf = (data: z.infer<typeof routed>) => {
  if (data.to === 'run') return data.kept ? 'kept' : 'run';
  if (data.to === 'consent') return data.word;
  return data.to === 'nobody' ? data.because : data.to;
};

/** What automation made of a message of the contact: which run got it, or why none did. */
export const Routed = ({ to }: { to: Record<string, unknown> | null }) => {
  const { data } = routed.safeParse(to);
  if (!data) return null;
  const way = wayOf(data);
  if ('run_id' in data && data.run_id !== undefined)
    return (
      <Anchor component={Link} to={`/runs/${data.run_id}`} size="xs">
        {words.routed[way]}
      </Anchor>
    );
  return (
    <Text size="xs" c="dimmed">
      {words.routed[way]}
    </Text>
  );
};
