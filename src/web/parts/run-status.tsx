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
export const RunStatus = ({ run }: { run: Run }) => {
  return (
    <Group gap={6}>
      <RunBadge status={run.status} />
      <RunPlace run={run} />
    </Group>
  );
};

/** The status of a run alone. */
export const RunBadge = ({ status }: Pick<Run, 'status'>) => (
  <Status tone={tones[status]}>{runStatusWords.statuses[status]}</Status>
);

/** The same without its status. */
export const RunPlace = ({ run }: { run: Run }) => {
  const { status, block_id, waiting, waiting_since, wakes_at, reason } = run;
  const isOver = status !== 'running' && status !== 'waiting';
  return (
    <>
      {waiting !== null && (
        <Text span size="sm">
          {runStatusWords.waits[waiting]}
        </Text>
      )}
      {block_id !== null && status !== 'completed' && (
        <Text span size="sm">
          {runStatusWords.at(block_id)}
        </Text>
      )}
      {!isOver && waiting_since !== null && (
        <Text span size="sm">
          {runStatusWords.since} <Time at={waiting_since} format="clock" />
        </Text>
      )}
      {!isOver && wakes_at !== null && <Until at={wakes_at} isTimeout={withTimeout.includes(waiting)} />}
      {reason !== null && reason !== status && (
        <Text span size="sm" c="dimmed">
          {sayRunReason(reason)}
        </Text>
      )}
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
