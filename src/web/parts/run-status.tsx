import { Group, Text } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { runStatusWords } from '../words/run-status.ts';
import { sayRunReason } from './say-run-reason.ts';
import { Status, type Tone } from './status.tsx';
import { Time } from './time.tsx';

type Run = Schemas['Run'];

const tones: Record<Run['status'], Tone> = {
  running: 'busy',
  waiting: 'waiting',
  completed: 'good',
  failed: 'bad',
  cancelled: 'off',
};

/** Waits that a run leaves by another port when their time is up. */
const withTimeout: readonly Run['waiting'][] = ['reply', 'event'];

/** Where a run is: "Waiting for a reply at “ask_size” since 10:04 (times out 11:04)", and why. */
export const RunStatus = ({ run }: { run: Run }) => (
  <Group gap={6}>
    <RunBadge status={run.status} />
    <Where run={run} />
    <Times run={run} />
    <Why run={run} />
  </Group>
);

/** The status of a run alone. */
export const RunBadge = ({ status }: Pick<Run, 'status'>) => (
  <Status tone={tones[status]}>{runStatusWords.statuses[status]}</Status>
);

/** The same without its status and its times. */
export const RunPlace = ({ run }: { run: Run }) => (
  <>
    <Where run={run} />
    <Why run={run} />
  </>
);

/** Whether a run has ended. */
const isOver = ({ status }: Run): boolean => status !== 'running' && status !== 'waiting';

const Where = ({ run: { status, block_id: blockId, waiting } }: { run: Run }) => (
  <>
    {waiting !== null && (
      <Text span size="sm">
        {runStatusWords.waits[waiting]}
      </Text>
    )}
    {blockId !== null && status !== 'completed' && (
      <Text span size="sm">
        {runStatusWords.at(blockId)}
      </Text>
    )}
  </>
);

const Why = ({ run: { status, reason } }: { run: Run }) =>
  reason !== null &&
  reason !== status && (
    <Text span size="sm" c="dimmed">
      {sayRunReason(reason)}
    </Text>
  );

const Times = ({ run }: { run: Run }) => {
  const { waiting, waiting_since: since, wakes_at: wakesAt } = run;
  if (isOver(run)) return null;
  return (
    <>
      {since !== null && (
        <Text span size="sm">
          {runStatusWords.since} <Time at={since} format="clock" />
        </Text>
      )}
      {wakesAt !== null && <Until at={wakesAt} isTimeout={withTimeout.includes(waiting)} />}
    </>
  );
};

const Until = ({ at, isTimeout }: { at: string; isTimeout: boolean }) => {
  const time = <Time at={at} format="clock" />;
  return (
    <Text span size="sm">
      {isTimeout ? (
        <>
          ({runStatusWords.timesOut} {time})
        </>
      ) : (
        <>
          {runStatusWords.until} {time}
        </>
      )}
    </Text>
  );
};
