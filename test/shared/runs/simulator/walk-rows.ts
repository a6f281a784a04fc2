import { expect } from 'vitest';
import { resolveHandover } from '../../../../src/shared/handovers/end.ts';
import { readId, showId } from '../../../../src/shared/ids.ts';
import type { StepState } from '../../../../src/shared/runs/engine/run-state.ts';
import type { RoutedTo } from '../../../../src/shared/runs/triggers/route-message.ts';
import { applyTag } from '../../../../src/shared/tags/apply.ts';
import type { FlowWorld } from '../../../helpers/flow-world.ts';
import { moveClock, readClock } from '../../../helpers/movable-clock.ts';
import { ageBreakers } from '../../../helpers/states/origins.ts';
import type { Act } from './generated-flows.ts';

type OpenRun = {
  id: string;
  resumes: number;
  step: number;
  waiting: string | null;
  woken: boolean;
  wakeAt: Date | null;
  since: Date | null;
};

/** A wait of a run that has a time: since when, and until when. */
export type Timer = OpenRun & { wakeAt: Date };

/** Longer than an origin remembers its failures. */
const breakerSeconds = 3_600;

/** Who got a message first, by the number of the run. */
const showRouted = (routed: RoutedTo, runIds: readonly string[]) => {
  const run = 'run_id' in routed ? runIds.indexOf(readId('run', routed.run_id)) + 1 : null;
  if (routed.to !== 'nobody') return { to: routed.to, run, because: null };
  const { because } = routed;
  return because === 'passed_over' ? { to: 'run', run, because: null } : { to: 'nobody', run, because };
};

/** A contact in a flow by its rows: their runs go on as workflows have them go on, by the clock of the world's database. */
/** Where a contact says that it is. */
export const place = { type: 'location', latitude: 52.52, longitude: 13.4050001 } as const;

export const walkRows = (world: FlowWorld, { sender, contactId }: { sender: string; contactId: string }) => {
  const { db, accountId, transact } = world;
  const open = () => db<OpenRun[]>`
    select id, resumes, step, waiting, woken, wake_at, waiting_since as since from runs
    where contact_id = ${contactId} and ended_at is null order by id`;

  const timersOf = (runs: readonly OpenRun[]): Timer[] =>
    runs
      .flatMap(({ wakeAt, ...run }) => (wakeAt === null || run.waiting === 'call' ? [] : [{ ...run, wakeAt }]))
      .toSorted((a, b) => a.wakeAt.getTime() - b.wakeAt.getTime());

  const request = async ({ id, resumes, step }: OpenRun): Promise<void> => {
    // A simulation knows of no other requests to the same origin.
    await ageBreakers(db, { seconds: breakerSeconds });
    const { retryInMs } = await world.activities.callThirdParty({ runId: showId('run', id), resumes }, step);
    if (retryInMs !== undefined) await moveClock(db, new Date((await readClock(db)).getTime() + retryInMs));
  };

  /** Has all runs go on until they wait; what is due until a time happens at its time. Requests come before timers, as docs/flows.md says of simulations. */
  const passTo = async (until: Date): Promise<void> => {
    for (;;) {
      const runs = await open();
      const next = runs.find(({ woken, waiting }) => woken || waiting === null);
      const calling = runs.find(({ waiting }) => waiting === 'call');
      const [timer] = timersOf(runs);
      if (next) await world.advance(next.id);
      else if (calling) await request(calling);
      else {
        const now = await readClock(db);
        if (!timer || (timer.wakeAt > until && timer.wakeAt > now))
          return until > now ? moveClock(db, until) : undefined;
        if (timer.wakeAt > now) await moveClock(db, timer.wakeAt);
        await world.advance(timer.id, timer.step);
      }
    }
  };

  const act = async (one: Exclude<Act, { type: 'timer' }>): Promise<void> => {
    if (one.type === 'says') await world.says(sender, one.text);
    if (one.type === 'shares') await world.says(sender, '', [place]);
    if (one.type === 'tag') await transact((tx) => applyTag(tx, { accountId, contactId, name: one.name }));
    if (one.type === 'resolve') {
      const handovers = await db<{ id: string }[]>`
        select id from handovers where contact_id = ${contactId} and status = 'open'`;
      for (const { id } of handovers) await transact((tx) => resolveHandover(tx, { accountId, id, outcome: '' }));
    }
    await passTo(await readClock(db));
  };

  const numbered = db`
    select id, row_number() over (order by id)::int as number from runs where contact_id = ${contactId}`;
  const read = async () => {
    const steps = await db<(StepState & { run: number })[]>`
      select r.number as run, s.number, s.block_id, s.visit, s.status, s.port, s.reason, s.tries, s.entered_at, s.left_at
      from run_steps s join (${numbered}) r on r.id = s.run_id order by 1, 2`;
    const runs = await db<{ id: string; isOpen: boolean; wakeAt: Date | null }[]>`
      select id, status, waiting, block_id, reason, wake_at, ended_at is null as is_open from runs
      where contact_id = ${contactId} order by id`;
    const messages = await db`
      select m.text, r.number as run, s.block_id from messages m join outbound_messages o on o.message_id = m.id
      join (${numbered}) r on r.id = o.run_id join run_steps s on s.run_id = o.run_id and s.number = o.run_step
      where m.contact_id = ${contactId} order by m.seq`;
    const requests = await db`
      select r.number as run, q.block_id, item_index, method, try, status_code, q.reason, port
      from requests q join (${numbered}) r on r.id = q.run_id order by q.id`;
    const inbound = await db<{ routedTo: RoutedTo }[]>`
      select routed_to from messages where contact_id = ${contactId} and direction = 'inbound' order by seq offset 1`;
    const ids = runs.map(({ id }) => id);
    const routed = inbound.map(({ routedTo }) => showRouted(routedTo, ids));
    const [contact] = await db<{ fields: unknown; lastName: string | null; tags: string[] }[]>`
      select custom_fields as fields, last_name, array(
        select name from contact_tags join tags on id = tag_id where contact_id = c.id order by lower(name)) as tags
      from contacts c where id = ${contactId}`;
    const {
      isOpen: _,
      id: _id,
      ...run
    } = runs.findLast(({ isOpen }) => isOpen) ?? runs.at(-1) ?? expect.fail('no run');
    return { run, steps: [...steps], messages: [...messages], requests: [...requests], routed, ...contact };
  };

  return { passTo, act, read, timers: async () => timersOf(await open()), now: () => readClock(db) };
};

/** What the rows of a contact say of all that has happened. */
export type StoredWalk = Awaited<ReturnType<ReturnType<typeof walkRows>['read']>>;
