import { Button, Progress, Stack, Text } from '@mantine/core';
import { bulkWorkWords as words } from '../words/bulk-work.ts';
import { commonWords } from '../words/common.ts';
import { confirm } from './confirm.tsx';
import { Status, type Tone } from './status.tsx';
import { useSending } from './use-sending.ts';

export type State = keyof typeof words.state;

const tones: Readonly<Record<State, Tone>> = {
  running: 'busy',
  paused: 'waiting',
  finished: 'good',
  cancelled: 'off',
};

/** The status of bulk work, such as a replay, in words. */
export const BulkStatus = ({ status }: { status: State }) => (
  <Status tone={tones[status]}>{words.state[status]}</Status>
);

/** How far bulk work is. `isMore`: there are more than `total`. */
export const BulkProgress = ({ done, total, isMore }: { done: number; total: number; isMore: boolean }) => (
  <Stack gap={4} miw={140}>
    {/* Nothing to do is all done. */}
    <Progress value={total === 0 ? 100 : Math.min(100, (done / total) * 100)} aria-label={words.progress} />
    <Text size="sm">{isMore ? words.progressOfMore({ done, total }) : words.progressOf({ done, total })}</Text>
  </Stack>
);

type EstimateProps = {
  /** Undefined while it is being counted. `more`: there are more than `count`. */
  found: { count: number; more: boolean } | undefined;
  /** How many are begun in a second. */
  pace: number;
  sayFound: { none: string; all: (count: number) => string; more: (count: number) => string };
};

/** How many things bulk work would take, and how long it takes to begin them at this pace. */
export const BulkEstimate = ({ found, pace, sayFound }: EstimateProps) => {
  if (!found)
    return (
      <Text size="sm" c="dimmed" role="status">
        {words.counting}
      </Text>
    );
  const { count, more } = found;
  const seconds = Math.ceil(count / Math.max(1, pace));
  const time = seconds < 90 ? words.seconds(seconds) : words.minutes(Math.ceil(seconds / 60));
  return (
    <Text size="sm" fw={600} role="status">
      {count === 0 ? sayFound.none : more ? sayFound.more(count) : sayFound.all(count)}{' '}
      {count > 0 && !more && words.takes(time)}
    </Text>
  );
};

type ActionsProps = {
  status: State;
  /** What the question says whether to cancel it. */
  cancelWords: { action: string; title: string; text: string };
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  cancel: () => Promise<void>;
};

/** What can be done with bulk work that is not over. */
export const BulkActions = ({ status, cancelWords, pause, resume, cancel }: ActionsProps) => {
  const { isSending, send } = useSending();
  const askToCancel = (): void =>
    confirm({
      title: cancelWords.title,
      children: cancelWords.text,
      action: cancelWords.action,
      keep: commonWords.keepIt,
      isDangerous: true,
      onConfirm: cancel,
    });
  if (status !== 'running' && status !== 'paused') return null;
  return (
    <>
      <Button variant="default" onClick={askToCancel}>
        {cancelWords.action}
      </Button>
      {status === 'running' ? (
        <Button loading={isSending} onClick={() => void send(pause)}>
          {words.pause}
        </Button>
      ) : (
        <Button loading={isSending} onClick={() => void send(resume)}>
          {words.resume}
        </Button>
      )}
    </>
  );
};
