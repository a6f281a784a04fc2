import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import * as z from 'zod/mini';

/** Who got a message of the contact, as far as this page tells it. */
const routed = z.union([
  z.object({ to: z.enum(['run', 'flow']), run_id: z.string() }),
  z.object({ to: z.literal('consent'), word: z.enum(['stop', 'start']) }),
  z.object({ to: z.literal('handover') }),
  z.object({
    to: z.literal('nobody'),
    because: z.enum(['unsubscribed', 'blocked', 'silence', 'no_trigger', 'in_flow_already']),
  }),
]);

/** What automation made of a message of the contact: which run got it, or why none did. */
export const Routed = ({ to }: { to: Record<string, unknown> | null }) => {
  const { t } = useTranslation('conversations');
  const { data } = routed.safeParse(to);
  if (!data) return null;
  if (data.to === 'run' || data.to === 'flow')
    return (
      <Anchor component={Link} to={`/runs/${data.run_id}`} size="xs">
        {t(`routed.${data.to}`)}
      </Anchor>
    );
  const words = data.to === 'consent' ? data.word : data.to === 'nobody' ? data.because : data.to;
  return (
    <Text size="xs" c="dimmed">
      {t(`routed.${words}`)}
    </Text>
  );
};
