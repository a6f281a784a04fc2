import { Code, Group, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import { Failure } from '../../parts/failure.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { sayRunReason } from '../../parts/say-run-reason.ts';
import { Time } from '../../parts/time.tsx';
import { useList, type RowOf } from '../../parts/use-list.ts';
import { runWords } from '../../words/runs.ts';
import { RequestsOfStep } from './requests-of-step.tsx';
import { sayDuration } from './say-duration.ts';
import { words } from './words.ts';

type Step = RowOf<'/runs/{id}/steps'>;
type Request = RowOf<'/runs/{id}/requests'>;

/** The steps of a run from the beginning, of a long one the latest first hundred at once, with what was asked of other services. */
export const Steps = ({ runId }: { runId: string }) => {
  const steps = useList('/runs/{id}/steps', { id: runId, limit: 100 });
  const requests = useList('/runs/{id}/requests', { id: runId });
  if (!steps.rows) return steps.error ? <Failure error={steps.error} retry={steps.retry} /> : <Skeleton height={160} />;
  if (steps.rows.length === 0) return <Text size="sm">{words.noSteps}</Text>;
  const tries = Map.groupBy(requests.rows ?? [], ({ step }) => step);
  const inOrder = steps.rows.toReversed();
  return (
    <Stack gap="sm">
      <LoadMore list={steps} size="xs">
        {words.earlier}
      </LoadMore>
      {requests.error ? <Failure error={requests.error} retry={requests.retry} /> : null}
      <Timeline active={inOrder.length} bulletSize={14} lineWidth={2}>
        {inOrder.map((step) => (
          <Timeline.Item key={step.number} title={<Title step={step} />} {...(isFailed(step) && { color: 'red.8' })}>
            <OneStep step={step} requests={tries.get(step.number)?.toReversed() ?? []} />
          </Timeline.Item>
        ))}
      </Timeline>
      <LoadMore list={requests} size="xs">
        {runWords.request.earlier}
      </LoadMore>
    </Stack>
  );
};

/** Reasons that are nobody's failure. */
const harmless: readonly string[] = ['cancelled', 'cancelled_by_operator', 'switched'];

const isFailed = ({ reason }: Step): boolean => reason !== null && !harmless.includes(reason);

const Title = ({ step: { number, block_id: blockId, visit } }: { step: Step }) => (
  <Group gap="xs">
    <Text span size="sm" c="dimmed">
      {words.step(number)}
    </Text>
    <Code>{blockId}</Code>
    {visit > 1 && (
      <Text span size="sm" c="dimmed">
        {words.visit(visit)}
      </Text>
    )}
  </Group>
);

const OneStep = ({ step, requests }: { step: Step; requests: readonly Request[] }) => {
  const { status, port, reason, tries, entered_at: enteredAt, left_at: leftAt } = step;
  return (
    <Stack gap={4} mt={4}>
      {/* One text, which breaks anywhere on a narrow screen. */}
      <Text component="div" size="sm">
        <Time at={enteredAt} format="exact" />
        {status !== 'done' && ` · ${words.stepStatuses[status]}`}
        {port !== null && ` · ${words.tookPort(port)}`}
        {leftAt !== null &&
          `${port === null ? ' · ' : ' '}${words.after(sayDuration(new Date(leftAt).getTime() - new Date(enteredAt).getTime()))}`}
        {reason !== null && (
          <>
            {' · '}
            <Text span size="sm" {...(isFailed(step) && { c: 'var(--mantine-color-error)' })}>
              {sayRunReason(reason)}
            </Text>
          </>
        )}
      </Text>
      {tries > 0 && <Text size="sm">{words.tries(tries)}</Text>}
      {requests.length > 0 && <RequestsOfStep requests={requests} />}
    </Stack>
  );
};
