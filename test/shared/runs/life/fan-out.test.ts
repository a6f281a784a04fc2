import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertChannel } from '../../../../src/shared/messages/channels/queries.ts';
import { createContact } from '../../../../src/shared/contacts/queries.ts';
import { receiveInTransaction } from '../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { readInstallation } from '../../../../src/service/installation-numbers.ts';
import { findCauseOfRequest } from '../../../../src/shared/runs/requests/cause-of-request.ts';
import { enrollContact } from '../../../../src/shared/runs/life/enroll.ts';
import { findRun } from '../../../../src/shared/runs/queries.ts';
import { applyTag, removeTag } from '../../../../src/shared/tags/apply.ts';
import { byTheClock } from '../../../helpers/by-the-clock.ts';
import { anAccount } from '../../../helpers/accounts.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../../helpers/live-flows.ts';
import { completeAll, haveCausedMany, haveManyBegun } from '../../../helpers/states/runs.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

const bound = 1_000;

const aContact = async (accountId = world.accountId) =>
  (await world.transact((tx) => createContact(tx, accountId, { first_name: 'Ada' }))).id;

const say = { id: 'hello', type: 'clear_field', field: 'first_name' };

/** Takes a tag off and puts it on, so many times. */
const flips = (tag: string, times: number): FlowBlocks =>
  Array.from({ length: times }, (_, index) => [
    { id: `off_${index}`, type: 'remove_tag', tag },
    { id: `on_${index}`, type: 'add_tag', tag },
  ]).flat();

/** A flow that a contact may be in more than once. */
const flow = (blocks: FlowBlocks, tag?: string) =>
  aFlow(world.db, world.accountId, {
    blocks,
    reentry: 'allow',
    ...(tag !== undefined && { triggers: [{ type: 'tag_applied', tag }] }),
  });

/** The most runs that were begun in one hour of the clock for contacts of which only these runs are, without the first of them. */
const begunOf = async (contacts: readonly string[]) => {
  const [row] = await world.db<[{ begun: number; most: number }]>`
    select coalesce(sum(runs), 0)::int - 1 as begun, coalesce(max(runs), 0)::int as most from (
      select count(*) as runs from runs where contact_id = any(${[...contacts]}::uuid[])
      group by date_trunc('hour', started_at)) as hours`;
  return row;
};

const notBegunOf = async (runId: string) => (await findRun(world.db, world.accountId, runId))?.notBegun ?? 0;

/** Carries the oldest runs of a contact until the first one has caused too many, or surely more than it may. */
const carryOn = async (contactId: string, first: string) => {
  for (;;) {
    const open = await world.db<{ id: string }[]>`
      select id from runs where contact_id = ${contactId} and status = 'running' order by id limit 5`;
    for (const { id } of open) await world.advance(id);
    const { begun } = await begunOf([contactId]);
    if (open.length === 0 || (await notBegunOf(first)) > 0 || begun > 2 * bound) return;
  }
};

/** What a run's External Request does by calling Parley: it carries the run's Idempotency-Key. */
const causeOf = async (runId: string) => {
  const idempotencyKey = `${showId('run', runId)}:call:1`;
  const cause = await findCauseOfRequest(world.db, { accountId: world.accountId, idempotencyKey });
  return cause ?? expect.fail('no run has this key');
};

/** Kinds of chains: each answers its first run, and the contacts of its runs. */
const chains: Record<string, () => Promise<{ first: string; contacts: string[] }>> = {
  'a flow of 96 blocks that fires its own trigger': async () => {
    const contactId = await aContact();
    const first = await world.enrol(contactId, await flow(flips('spark', 48), 'spark'));
    await carryOn(contactId, first);
    return { first, contacts: [contactId] };
  },
  'two flows that fire one another': async () => {
    const contactId = await aContact();
    await flow(flips('ping', 40), 'pong');
    const first = await world.enrol(contactId, await flow(flips('pong', 40), 'ping'));
    await carryOn(contactId, first);
    return { first, contacts: [contactId] };
  },
  'children of start_flow that fire the trigger of their parent': async () => {
    const contactId = await aContact();
    const child = await flow(flips('parent', 48));
    const start = { id: 'child', type: 'start_flow', flow_id: showId('flow', child), mode: 'child' };
    const first = await world.enrol(contactId, await flow([start], 'parent'));
    await carryOn(contactId, first);
    return { first, contacts: [contactId] };
  },
  'External Requests that tag contacts': async () => {
    const [contactId, other] = [await aContact(), await aContact()];
    const first = await world.enrol(contactId, await flow([say]));
    await flow([say], 'called');
    const cause = await causeOf(first);
    for (let tagged = 0; tagged < bound + 20 || (await begunOf([contactId, other])).begun < bound; tagged += 1) {
      await world.transact(async (tx) => {
        const tag = { accountId: world.accountId, contactId: tagged % 2 ? contactId : other, name: 'called' };
        await applyTag(tx.causedBy(cause), tag);
        await removeTag(tx, tag);
      });
    }
    return { first, contacts: [contactId, other] };
  },
};

test.each(Object.entries(chains))(
  'one enrolment causes at most 1,000 runs an hour: %s',
  byTheClock,
  async (_, chain) => {
    const { first, contacts } = await chain();
    const { begun, most } = await begunOf(contacts);
    // The first run is not one that it has caused.
    expect(most).toBeLessThanOrEqual(bound + 1);
    expect(begun).toBeGreaterThanOrEqual(bound);
    expect(await notBegunOf(first)).toBeGreaterThan(0);
    expect((await readInstallation(world.db)).runChainsGuarded).toBeGreaterThan(0);

    // Nobody else is held up.
    const { accountId } = await anAccount(world);
    const contactId = await aContact(accountId);
    const flowId = await aFlow(world.db, accountId, { blocks: [say] });
    const run = await world.transact((tx) => enrollContact(tx, { accountId, contactId, flowId, params: {} }));
    expect(await world.advance(run.id)).toEqual({ type: 'over', status: 'completed' });
  },
);

test('a request that begins runs for many contacts at once begins exactly 1,000', byTheClock, async () => {
  const { accountId } = world;
  const first = await world.enrol(await aContact(), await flow([say]));
  const flowId = await flow([say]);
  const contacts = await Promise.all(Array.from({ length: 15 }, () => aContact()));
  const cause = await causeOf(first);
  const enroll = (index: number) =>
    world.transact((tx) =>
      enrollContact(tx.causedBy(cause), { accountId, contactId: contacts[index % 15] ?? '', flowId, params: {} }),
    );
  const enrolled: PromiseSettledResult<unknown>[] = [];
  // No more at once than may wait for the account's connections.
  for (let from = 0; from < bound + 50; from += 350)
    enrolled.push(...(await Promise.allSettled(Array.from({ length: 350 }, (_, index) => enroll(from + index)))));
  const refused = enrolled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  const { begun, most } = await begunOf([...contacts]);
  expect(begun + 1).toBe(bound + 50 - refused.length);
  expect(most).toBeLessThanOrEqual(bound);
  expect(refused[0]).toMatchObject({ code: 'conflict', originRunId: first });
});

test('a start_flow block whose flow may not begin fails its run instead of waiting', byTheClock, async () => {
  const { accountId } = world;
  const contactId = await aContact();
  const child = await flow([say]);
  const first = await world.enrol(contactId, await flow([say]));
  const cause = await causeOf(first);
  const start = { id: 'child', type: 'start_flow', flow_id: showId('flow', child), mode: 'child' };
  const parent = await flow([start]);
  const enrol = (flowId: string) =>
    world.transact((tx) => enrollContact(tx.causedBy(cause), { accountId, contactId, flowId, params: {} }));
  const { id } = await enrol(parent);
  await haveCausedMany(world.db, first, bound);
  await expect(enrol(child)).rejects.toMatchObject({ code: 'conflict' });
  await world.advance(id);
  expect(await world.advance(id)).toMatchObject({ type: 'over', status: 'failed', reason: 'child_failed' });
});

test('chains under the bound begin every run that they cause', async () => {
  const counts = fc.record({ width: fc.integer({ min: 1, max: 12 }), children: fc.integer({ min: 0, max: 3 }) });
  await fc.assert(
    fc.asyncProperty(counts, async ({ width, children }) => {
      const [contactId, tag] = [await aContact(), newUuid()];
      const child = await flow([say]);
      const starts = Array.from({ length: children }, (_, index) => ({
        id: `child_${index}`,
        type: 'start_flow',
        flow_id: showId('flow', child),
      }));
      await flow([...starts, say], tag);
      const first = await world.enrol(contactId, await flow(flips(tag, width)));
      for (;;) {
        const open = await world.db<{ id: string }[]>`
          select id from runs where contact_id = ${contactId} and (status = 'running' or woken) and ended_at is null order by id`;
        if (open.length === 0) break;
        for (const { id } of open) await world.advance(id);
      }
      expect(await begunOf([contactId])).toMatchObject({ begun: width * (1 + children) });
      const rows = await world.db`select 1 from runs where contact_id = ${contactId} and status <> 'completed'`;
      expect(rows).toHaveLength(0);
      expect(await notBegunOf(first)).toBe(0);
    }),
    { numRuns: 8 },
  );
});

describe('an account with 10,000 runs that have not begun their first step', () => {
  let accountId: string;
  let flowId: string;
  beforeAll(async () => {
    ({ accountId } = await anAccount(world));
    await aContact(accountId);
    flowId = await aFlow(world.db, accountId, { blocks: [say] });
  });

  const enrol = async (account = accountId, id = flowId) => {
    const contactId = await aContact(account);
    return world.transact((tx) => enrollContact(tx, { accountId: account, contactId, flowId: id, params: {} }));
  };
  const unseen = async () => {
    const rows = await world.db`select 1 from runs where account_id = ${accountId} and status = 'running' and step = 0`;
    return rows.length;
  };
  const enrolUntilRefused = async () => {
    for (let enrolled = 0; enrolled < 3_000; enrolled += 1) await enrol();
  };

  test('an account with 10,000 unbegun runs is refused others with 429, and others are not', async () => {
    await haveManyBegun(world.db, flowId, 9_990);
    await expect(enrolUntilRefused()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await unseen()).toBeGreaterThanOrEqual(10_000);
    // Every hundredth new run has them counted.
    expect(await unseen()).toBeLessThan(13_000);
    const { accountId: neighbour } = await anAccount(world);
    const theirs = await aFlow(world.db, neighbour, { blocks: [say] });
    expect(await world.advance((await enrol(neighbour, theirs)).id)).toMatchObject({ status: 'completed' });
  });

  test('an account with 10,000 unbegun runs goes on with those, and with what they cause', async () => {
    const contactId = await aContact(accountId);
    const tagged = await aFlow(world.db, accountId, {
      blocks: [say],
      triggers: [{ type: 'tag_applied', tag: 'later' }],
    });
    const [oldest] = await world.db<{ id: string }[]>`
      select id from runs where account_id = ${accountId} and status = 'running' and step = 0 order by id desc limit 1`;
    const first = oldest?.id ?? '';
    const cause = { depth: 1, originRunId: first };
    await world.transact((tx) => applyTag(tx, { accountId, contactId, name: 'later', cause }));
    expect(await world.db`select flow_id from runs where contact_id = ${contactId}`).toEqual([{ flowId: tagged }]);
    expect(await world.advance(first)).toMatchObject({ type: 'over', status: 'completed' });
  });

  test('an account with 50,000 unbegun runs takes a message, starts no flow, and says why', async () => {
    await haveManyBegun(world.db, flowId, 40_000);
    await aFlow(world.db, accountId, { blocks: [say], triggers: [{ type: 'default_reply' }] });
    const { id: channelId } = await insertChannel(world.db, accountId, { type: 'api', name: 'Shop' });
    const routed = async () => {
      const message = { message_id: newUuid(), sender: { external_id: newUuid() }, text: 'hello' };
      const { messageId } = await world.transact((tx) => receiveInTransaction(tx, { accountId, channelId, message }));
      const [row] = await world.db<{ routedTo: object }[]>`select routed_to from messages where id = ${messageId}`;
      return row?.routedTo;
    };
    // Some begin until they are counted, a second after the last time.
    await expect.poll(routed, { timeout: 60_000 }).toEqual({ to: 'nobody', because: 'backlog' });
  });

  test('an account may begin runs again once its unbegun ones have begun', async () => {
    await completeAll(world.db, accountId);
    await expect
      .poll(
        () =>
          enrol().then(
            ({ status }) => status,
            (error: unknown) => error,
          ),
        { timeout: 60_000 },
      )
      .toBe('running');
  });
});
