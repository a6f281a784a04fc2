import { attemptsPerRound } from '../shared/deliveries/ladder.ts';
import { showDeliveryDetail, type DeliveryDetailRow, type LatestAttempts } from '../shared/deliveries/schema.ts';
import type { AttemptKind } from '../shared/deliveries/types.ts';
import { sayFailureDetail } from '../shared/platform/egress/failure-details.ts';
import { showId } from '../shared/ids.ts';
import { workflowOf } from '../shared/deliveries/workflow.ts';
import type { WorkflowUrl } from '../shared/platform/temporal/workflow-url.ts';
import { fields, printable, table, type Columns } from './answer.ts';

export type Timeline = ReturnType<typeof showTimeline>;

type Known = {
  delivery: DeliveryDetailRow & { accountId: string };
  attempts: LatestAttempts;
  workflowUrl: WorkflowUrl;
};

/** What the API tells of a delivery, its account, and the workflow of its current round. */
export const showTimeline = ({ delivery, ...known }: Known) => ({
  ...showDeliveryDetail(delivery, known),
  account_id: showId('account', delivery.accountId),
  workflow_id: workflowOf(delivery) ?? null,
});

/** The same for people: what it is, what happened when, what comes next, and the body. */
export const timelineText = (timeline: Timeline): string => {
  const what = fields({
    Delivery: timeline.id,
    Event: `${timeline.event}${timeline.is_test ? ' (test)' : ''}, ${timeline.event_id}`,
    Account: timeline.account_id,
    Webhook: `${timeline.webhook_id}, variant ${timeline.variant === 'api' ? 'A (api)' : 'B (dashboard)'}`,
    Contact: timeline.contact_id,
    Status: timeline.parked_reason ? `${timeline.status} (${timeline.parked_reason})` : timeline.status,
    Workflow: timeline.workflow_id ?? (timeline.without_workflow ? 'none: ended before it needed one' : undefined),
    'In Temporal': timeline.workflow_url,
  });
  const happened = table(columns, happenings(timeline));
  return [
    what,
    happened,
    ...earlierText(timeline),
    ...detailText(timeline),
    `Body\n${printable(timeline.body)}`,
    ...answerText(timeline),
  ].join('\n\n');
};

/** What is not shown of it: an attempt may hold kilobytes. */
const earlierText = ({ id, variant, attempts, attempts_count }: Timeline): string[] => {
  const earlier = attempts_count - attempts.length;
  const path = `${variant === 'api' ? '/v1' : '/dashboard/api'}/deliveries/${id}/attempts`;
  return earlier > 0 ? [`${earlier} earlier attempts are not shown: GET ${path} lists all.`] : [];
};

/** What exactly is wrong with the receiver, by the last attempt. */
const detailText = ({ attempts }: Timeline): string[] => {
  const detail = attempts.at(-1)?.detail;
  return detail ? [`The receiver ${sayFailureDetail[detail]}.`] : [];
};

/** The most characters of an answer that a terminal is given. `--json` has all that was kept. */
const answerCharacters = 2_000;

/** The receiver's last answer, if any: it often holds the reason of a failure. */
const answerText = (timeline: Timeline): string[] => {
  const last = timeline.attempts.findLast((attempt) => attempt.status_code !== null);
  if (!last) return [];
  const body = last.response_body ?? '';
  const more = body.length > answerCharacters || last.response_truncated ? ' …' : '';
  const said = body === '' ? '(no body)' : `${printable(body.slice(0, answerCharacters))}${more}`;
  return [`Answer to ${nameOf(last, timeline)}: HTTP ${last.status_code}\n${said}`];
};

/** Something that happened to a delivery, or will. Only attempts that were made have all of it. */
type Happening = {
  at: string;
  round: number | string;
  what: string;
  outcome?: string;
  durationMs?: number;
  address?: string | null;
};

const columns: Columns<Happening> = {
  TIME: 'at',
  ROUND: 'round',
  WHAT: 'what',
  OUTCOME: ({ outcome = '' }) => outcome,
  DURATION: ({ durationMs }) => (durationMs === undefined ? '' : `${durationMs} ms`),
  ADDRESS: ({ address = '' }) => address,
};

const happenings = (timeline: Timeline): Happening[] => {
  const { round, rounds, attempts, attempts_made, next_attempt_at, finished_at, status } = timeline;
  const begun = rounds.flatMap((one) =>
    one.begun_at ? [{ at: one.begun_at, round: one.round > 1 ? one.round : '', what: sayBeginning(one) }] : [],
  );
  const made = attempts.map((attempt) => ({
    at: attempt.started_at,
    round: attempt.round,
    what: nameOf(attempt, timeline),
    outcome: sayOutcome(attempt),
    durationMs: attempt.duration_ms,
    address: attempt.address,
  }));
  const number = attempts_made + 1;
  const next = next_attempt_at
    ? [{ at: next_attempt_at, round, what: nameOf({ kind: 'scheduled', number }, timeline), outcome: 'scheduled' }]
    : [];
  const ended = finished_at ? [{ at: finished_at, round, what: status }] : [];
  return [...[...begun, ...made].toSorted((one, other) => one.at.localeCompare(other.at)), ...next, ...ended];
};

const sayOutcome = ({ outcome, status_code, reason, detail }: Timeline['attempts'][number]): string =>
  status_code === null ? `${outcome}: ${reason}${detail ? ` (${detail})` : ''}` : `${outcome}: HTTP ${status_code}`;

const sayBeginning = ({ begun_by, replay_id }: Timeline['rounds'][number]): string => {
  if (begun_by === 'bulk_replay') return `replayed by ${replay_id}`;
  if (begun_by === 're_enabling') return `replayed by ${replay_id}, started by re-enabling the webhook`;
  return begun_by === 'replay' ? 'replayed' : 'created';
};

type AttemptName = { kind: AttemptKind; number: number };

const nameOf = ({ kind, number }: AttemptName, { is_test }: Pick<Timeline, 'is_test'>): string =>
  ({
    scheduled: `attempt ${number} of ${is_test ? 1 : attemptsPerRound}`,
    manual: `manual attempt ${number}`,
    check: `health check ${number}`,
  })[kind];
