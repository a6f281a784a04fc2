import { expect, onTestFinished, test, vi } from 'vitest';
import type { FlowBlocks } from '../helpers/live-flows.ts';
import { call, send } from './courses.ts';
import { useInstallation } from './installed.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';
import { createWalks, type Course } from './walks.ts';

/** What causes a pass. Its block of this name throws. */
const causes = ['message', 'answer', 'event', 'enrollment', 'request'] as const;
type Cause = (typeof causes)[number];

const courseOf = (cause: Cause, before: (url: string) => FlowBlocks, more: Partial<Course> = {}): Course => ({
  blocks: (url) => [
    ...before(url),
    { id: cause, type: 'set_field', field: 'counted', op: 'increment', value: 1 },
    send('told'),
  ],
  fields: { counted: 1 },
  messages: ['told'],
  ...more,
  steps: [...(more.steps ?? []), `${cause}: default`, 'tell: default'],
});

const courses: Record<Cause, Course> = {
  message: courseOf('message', () => []),
  answer: courseOf(
    'answer',
    () => [{ id: 'size', type: 'ask', prompt: 'Which size?', save_to: 'size', next: { timeout: null } }],
    { steps: ['size: answered'], fields: { counted: 1, size: 'L' }, messages: ['Which size?', 'told'] },
  ),
  event: courseOf('event', () => [{ id: 'paid', type: 'wait_event', event: 'tag_applied' }], {
    steps: ['paid: received'],
  }),
  enrollment: courseOf('enrollment', () => []),
  request: courseOf('request', (url) => [call('order', url)], {
    steps: ['order: success'],
    fields: { counted: 1, order: 7 },
  }),
};

const waiting = { timeout: patienceMs, interval: 20 };

const { installed } = useInstallation();

test('a block that throws in any kind of pass loses nothing: it is tried again, and each effect is there once', async () => {
  const { db } = installed();
  const walks = await createWalks(installed(), { courses });
  onTestFinished(walks.close);
  await walks.say(['answer'], 'answer');
  await walks.say(['event'], 'event');
  await walks.say(['enrollment'], 'hello');
  const areWaiting = async () => (await walks.countWaiting('reply')) + (await walks.countWaiting('event')) === 2;
  await vi.waitUntil(areWaiting, waiting);

  // A sequence counts also what is undone.
  for (const cause of causes) await db`create sequence ${db(`thrown_${cause}`)} minvalue 0`;
  await db`
    create function throw_here() returns trigger language plpgsql as $$
    begin perform nextval('thrown_' || new.block_id); raise 'thrown at %', new.block_id; end $$`;
  const repair = async () => void (await db`drop function if exists throw_here() cascade`);
  onTestFinished(async () => {
    await repair();
    for (const cause of causes) await db`drop sequence ${db(`thrown_${cause}`)}`;
  });
  await db`
    create trigger throws before insert on run_steps for each row
    when (new.block_id in ('message', 'answer', 'event', 'enrollment', 'request')) execute function throw_here()`;
  await Promise.all([
    walks.say(['message'], 'message'),
    walks.say(['answer'], 'L'),
    walks.tag(['event'], 'vip'),
    walks.enroll(['enrollment'], 'enrollment'),
    walks.say(['request'], 'request'),
  ]);
  const countThrown = (cause: Cause) => db<{ lastValue: string }[]>`select last_value from ${db(`thrown_${cause}`)}`;
  // The transaction throws, and then the workflow's pass.
  const allHaveThrownAgain = async () => {
    const rows = await Promise.all(causes.map(countThrown));
    return rows.every(([row]) => Number(row?.lastValue) >= 1);
  };
  await vi.waitUntil(allHaveThrownAgain, waiting);
  // What its service has answered is written down, whatever the blocks behind it do.
  const answered = () => db`select from requests where account_id = ${walks.accountId} and state = 'answered'`;
  await vi.waitUntil(async () => (await answered()).length === 1, waiting);
  await repair();
  const sinceMs = Date.now();
  await walks.settle();
  expect(walks.asked.map(({ block }) => block)).toEqual(['order']);
  const tallies = await Promise.all(causes.map((cause) => walks.tally(cause)));
  expect(tallies.map(({ sentAgain, lost }) => sentAgain + lost)).toEqual(causes.map(() => 0));
  const sum = (figure: 'accepted' | 'delivered' | 'lost' | 'sentAgain') =>
    tallies.reduce((total, tally) => total + tally[figure], 0);
  const lastAtMs = Math.max(...tallies.map((tally) => tally.lastAtMs));
  const all = {
    accepted: sum('accepted'),
    delivered: sum('delivered'),
    lost: sum('lost'),
    sentAgain: sum('sentAgain'),
  };
  await report('passThrows', { ...all, lastAtMs }, { sinceMs });
});
