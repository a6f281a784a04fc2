import type { Fragment, Sql } from '../platform/db/connect.ts';
import type { Within } from './counts.ts';
import { answerBoundsMs, eachBucket } from './histogram.ts';

/** What contacts, agents and flows did, as it is counted: its name, and the column that has it. */
export const activityKinds = [
  { kind: 'messagesReceived', column: 'messages_received' },
  { kind: 'messagesSent', column: 'messages_sent' },
  { kind: 'newContacts', column: 'new_contacts' },
  { kind: 'runsStarted', column: 'runs_started' },
  { kind: 'runsCompleted', column: 'runs_completed' },
  { kind: 'runsFailed', column: 'runs_failed' },
  { kind: 'runsCancelled', column: 'runs_cancelled' },
] as const;

type ActivityKind = (typeof activityKinds)[number]['kind'];

/** What was counted; `firstAnswers` is a histogram with `answerBoundsMs`. */
export type Activity = Record<ActivityKind, number> & { firstAnswers: number[] };

export const noActivity = (): Activity => ({
  messagesReceived: 0,
  messagesSent: 0,
  newContacts: 0,
  runsStarted: 0,
  runsCompleted: 0,
  runsFailed: 0,
  runsCancelled: 0,
  firstAnswers: eachBucket(answerBoundsMs, () => 0),
});

/** Adds up what was counted. */
export const addActivity = (to: Activity, more: Activity): void => {
  for (const { kind } of activityKinds) to[kind] += more[kind];
  for (const [bucket, count] of more.firstAnswers.entries())
    to.firstAnswers[bucket] = (to.firstAnswers[bucket] ?? 0) + count;
};

/** A first answer is looked for among so many messages of a conversation before the contact's first one, and as many after it. */
const lookedThrough = 200;

/**
 * SQL: the first answers that conversations `c` (`conversation_id`) got within a time: when (`at`), and how long the contact had waited for it, as the
 * number of its bucket. A first answer is the first message to the contact after the contact's first one, whoever sends it. A list of conversations
 * makes theirs an order to ask for, which only their index has: see `accountPageOf`.
 */
export const firstAnswers = (sql: Sql, { since, until }: Within): Fragment => {
  const first = (direction: Fragment, from: Fragment) => sql`
    select id from (
      select id, direction from messages where conversation_id = any(array[c.conversation_id]) ${from}
      order by conversation_id, id limit ${lookedThrough}) as near
    where direction = ${direction} limit 1`;
  return sql`
    select uuid_extract_timestamp(answer.id) as at, width_bucket(
      greatest(0, extract(epoch from uuid_extract_timestamp(answer.id) - uuid_extract_timestamp(asked.id)) * 1000)::float8,
      ${[...answerBoundsMs]}::float8[]) as bucket
    from (${first(sql`'inbound'`, sql``)}) as asked, lateral (${first(sql`'outbound'`, sql`and id > asked.id`)}) as answer
    where answer.id >= uuid_from_time(${since}) and answer.id < uuid_from_time(${until})`;
};
