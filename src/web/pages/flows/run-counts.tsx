import { Anchor, Group, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { runStatuses } from '../runs/run-statuses.ts';
import { words } from './words.ts';

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
  if (!stats || stats.runs === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={words.runs.ofWeek}>
      <Text size="sm">{stats.runs < most ? words.runs.begunInWeek(stats.runs) : words.runs.latestOfWeek(most)}</Text>
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
            {words.runs.countsOf[status](stats.statuses[status])}
          </Anchor>
        ))}
    </Group>
  );
};
