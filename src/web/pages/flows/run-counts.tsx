import { Anchor, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { runStatuses } from '../runs/run-statuses.ts';

type Status = Schemas['Run']['status'];

type Props = {
  /** Undefined while nothing is known. */
  stats: Schemas['FlowStats'] | undefined;
  /** Has the list show those of this status. */
  choose: (status: Status) => void;
};

/** The most runs that are counted. */
const most = 20_000;

/** What became of the runs of a flow that began in the past week. */
export const RunCounts = ({ stats, choose }: Props) => {
  const { t } = useTranslation(['runs', 'runStatus']);
  if (!stats || stats.runs === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={t('ofWeek')}>
      <Text size="sm">
        {stats.runs < most ? t('begunInWeek', { count: stats.runs }) : t('latestOfWeek', { count: most })}
      </Text>
      {runStatuses
        .filter((status) => stats.statuses[status] > 0)
        .map((status) => (
          <Anchor
            key={status}
            component="button"
            type="button"
            size="sm"
            underline="always"
            onClick={() => choose(status)}
          >
            {t(`countsOf.${status}`, { count: stats.statuses[status] })}
          </Anchor>
        ))}
    </Group>
  );
};
