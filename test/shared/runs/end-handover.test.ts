import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findHandoverSettings, updateHandoverSettings } from '../../../src/shared/accounts/handover-settings.ts';
import { lockContact } from '../../../src/shared/contacts/lock-contact.ts';
import { updateContact } from '../../../src/shared/contacts/queries.ts';
import { listConversations } from '../../../src/shared/messages/conversations/find-conversations.ts';
import { findHandover, listHandovers } from '../../../src/shared/handovers/queries.ts';
import { requestHandover } from '../../../src/shared/handovers/request.ts';
import type { HandoverRow } from '../../../src/shared/handovers/schema.ts';
import { showId } from '../../../src/shared/ids.ts';
import { closeConversation, expireHandovers, resolveHandover } from '../../../src/shared/runs/end-handover.ts';
import { startFlowWorld, type FlowWorld } from '../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../helpers/live-flows.ts';
import { holdLock } from '../../helpers/locks.ts';
import { haveEndedHandovers, letHandoversLapse } from '../../helpers/states/handovers.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

const say = (id: string) => ({ id, type: 'send', messages: [{ text: id }], next: { failed: null } });
const ask = { id: 'ask', type: 'ask', prompt: 'Which?', expects: 'any', timeout: 'PT1H', next: { timeout: 'late' } };
const handOver = (more: object = {}) => ({ id: 'people', type: 'handover', reason: 'Help {{first_name}}', ...more });
const whole = (more: object = {}) => [
  handOver({ next: { timeout: 'late' }, ...more }),
  say('back'),
  { id: 'end', type: 'end' },
  say('late'),
];

let senders = 0;
let contact: { sender: string; contactId: string };
beforeEach(async () => {
  senders += 1;
  const sender = `sender-${senders}`;
  contact = { sender, contactId: (await world.says(sender, 'hello')).contactId };
});

const enrolled = async (blocks: FlowBlocks) =>
  world.enrol(contact.contactId, await aFlow(world.db, world.accountId, { blocks, triggers: [] }));
const handovers = (): Promise<HandoverRow[]> =>
  listHandovers(world.db, world.accountId, { filter: { contact_id: contact.contactId }, page: { limit: 10 } });
const theOpenOne = async () =>
  (await handovers()).find(({ status }) => status === 'open') ?? expect.fail('none is open');
const request = () =>
  world.transact((tx) =>
    requestHandover(tx, {
      accountId: world.accountId,
      asked: { contact_id: contact.contactId, reason: 'Is angry.' },
      requestedBy: 'api',
    }),
  );
const resolve = async (given?: string) => {
  const id = given ?? (await theOpenOne()).id;
  return world.transact((tx) => resolveHandover(tx, { accountId: world.accountId, id, outcome: undefined }));
};
const expire = async () => {
  await letHandoversLapse(world.db, world.accountId);
  await expireHandovers(world);
};
const conversations = () =>
  listConversations(world.db, world.accountId, {
    filter: { contact_id: contact.contactId },
    limit: 10,
    before: undefined,
  });
const close = async () => {
  const [{ id } = expect.fail('no conversation')] = await conversations();
  return world.transact((tx) => closeConversation(tx, { accountId: world.accountId, id }));
};
const isWoken = async (runId: string) => {
  const [run] = await world.db<{ woken: boolean }[]>`select woken from runs where id = ${runId}`;
  return run?.woken;
};
const sent = () => world.sentTo(contact.contactId);
const told = () => world.db`
  select data from events where contact_id = ${contact.contactId} and name = 'handover_requested'`;

describe('the block handover', () => {
  test('requests one of its conversation, waits in the background, and goes on when it is resolved', async () => {
    const runId = await enrolled(whole());
    expect(await world.look(runId)).toMatchObject({ waiting: 'handover', dueInMs: expect.any(Number) });
    const [conversation] = await conversations();
    expect(await handovers()).toMatchObject([
      { status: 'open', requestedBy: 'flow', runId, reason: 'Help', conversationId: conversation?.id },
    ]);
    expect(conversation?.state).toBe('handover');
    expect(await told()).toHaveLength(1);
    expect(await isWoken(runId)).toBe(false);
    await resolve();
    expect(await isWoken(runId)).toBe(true);
    expect(await world.look(runId)).toEqual({ type: 'over', status: 'completed' });
    expect(await sent()).toEqual(['back']);
    expect((await conversations())[0]?.state).toBe('idle');
  });

  test('waits for the one that is open already, and requests none', async () => {
    const { id } = await request();
    const runId = await enrolled(whole());
    expect(await world.look(runId)).toMatchObject({ waiting: 'handover' });
    expect(await handovers()).toMatchObject([{ id, requestedBy: 'api' }]);
    expect(await told()).toHaveLength(1);
    await resolve();
    await world.look(runId);
    expect(await sent()).toEqual(['back']);
  });

  test('takes the port timeout when its own time is over, and the handover expires with it', async () => {
    const runId = await enrolled(whole({ timeout: 'PT1H' }));
    const next = await world.look(runId);
    await world.look(runId, next.type === 'wait' ? next.step : undefined);
    expect(await sent()).toEqual(['late']);
    expect(await handovers()).toMatchObject([{ status: 'expired' }]);
  });

  test('takes the port timeout when its own time is over, silently while people have the contact by another request', async () => {
    await request();
    const runId = await enrolled(whole({ timeout: 'PT1H' }));
    const next = await world.look(runId);
    expect(await world.look(runId, next.type === 'wait' ? next.step : undefined)).toMatchObject({ waiting: 'silence' });
    expect(await handovers()).toMatchObject([{ status: 'open' }]);
    await resolve();
    await world.look(runId);
    expect(await sent()).toEqual(['late']);
  });

  test('expires however many have ended before', async () => {
    await request();
    const { id } = await theOpenOne();
    // More than are expired at once.
    await haveEndedHandovers(world.db, contact.contactId, 250);
    await expire();
    expect(await findHandover(world.db, world.accountId, id)).toMatchObject({ status: 'expired' });
  });

  test('takes the port timeout when the time of the handover is over before', async () => {
    const runId = await enrolled(whole());
    await world.look(runId);
    await expireHandovers(world);
    expect(await handovers()).toMatchObject([{ status: 'open' }]);
    await expire();
    expect(await world.look(runId)).toEqual({ type: 'over', status: 'completed' });
    expect(await sent()).toEqual(['late']);
    expect(await handovers()).toMatchObject([{ status: 'expired', endedAt: expect.any(Date) }]);
  });

  test('that does not wait goes on at once, and what comes after it to say waits', async () => {
    const tag = { id: 'tag', type: 'add_tag', tag: 'handed-over' };
    const runId = await enrolled([handOver({ wait: false }), tag, say('back')]);
    expect(await world.look(runId)).toMatchObject({ waiting: 'silence', blockId: 'back' });
    expect(await sent()).toEqual([]);
    expect(await world.db`select from contact_tags where contact_id = ${contact.contactId}`).toHaveLength(1);
    await resolve();
    await world.look(runId);
    expect(await sent()).toEqual(['back']);
  });

  test('is resolved by close_conversation, in the same look, and the flow may speak again', async () => {
    const close = { id: 'close', type: 'close_conversation' };
    const runId = await enrolled([handOver({ wait: false }), close, say('back')]);
    expect(await world.look(runId)).toEqual({ type: 'over', status: 'completed' });
    expect(await handovers()).toMatchObject([{ status: 'resolved' }]);
    expect(await sent()).toEqual(['back']);
  });

  test('with a reason that shows nothing has the name of the flow; a long one is cut', async () => {
    const runs = [await enrolled([handOver({ reason: '{{last_name}}', wait: false })])];
    await world.look(runs[0] ?? '');
    expect((await theOpenOne()).reason).not.toBe('');
    await resolve();
    await world.look(await enrolled([handOver({ reason: 'x'.repeat(600), wait: false })]));
    expect((await theOpenOne()).reason).toBe('x'.repeat(500));
  });

  test('visited again waits for the next handover: the end of the one before is taken', async () => {
    const runId = await enrolled([
      handOver({ next: { timeout: null } }),
      { id: 'again', type: 'goto', block: 'people' },
    ]);
    for (let round = 0; round < 3; round += 1) {
      expect(await world.look(runId)).toMatchObject({ waiting: 'handover' });
      await resolve();
    }
    expect(await world.look(runId)).toMatchObject({ waiting: 'handover' });
    expect(await handovers()).toHaveLength(4);
  });
});

describe('while a handover is open', () => {
  test('no message starts a flow or answers a question, and the clock of an open question stands still', async () => {
    const { db, accountId } = world;
    const blocks = [say('started')];
    await aFlow(db, accountId, {
      blocks,
      triggers: [{ type: 'keyword', match: 'exact', words: ['shirt'], interrupt: true }],
    });
    const runId = await enrolled([ask, say('thanks'), { id: 'end', type: 'end' }, say('late')]);
    const asked = await world.look(runId);
    await request();
    expect(await isWoken(runId)).toBe(true);
    expect(await world.look(runId, asked.type === 'wait' ? asked.step : undefined)).toMatchObject({
      waiting: 'silence',
    });
    for (const text of ['shirt', 'an answer'])
      expect((await world.says(contact.sender, text)).routedTo).toEqual({ to: 'nobody', because: 'silence' });
    expect(await world.look(runId)).toMatchObject({ waiting: 'silence' });
    expect(await sent()).toEqual(['Which?']);
    await resolve();
    expect(await isWoken(runId)).toBe(true);
    expect(await world.look(runId)).toMatchObject({ waiting: 'reply' });
    await world.says(contact.sender, 'M');
    await world.look(runId);
    expect(await sent()).toEqual(['Which?', 'thanks']);
  });

  test('a flow that the API starts waits with what it has to say until the handover has expired', async () => {
    await request();
    const runId = await enrolled([say('one'), say('two')]);
    expect(await world.look(runId)).toMatchObject({ waiting: 'silence' });
    await expire();
    expect(await world.look(runId)).toEqual({ type: 'over', status: 'completed' });
    expect(await sent()).toEqual(['one', 'two']);
  });

  test('a pause of automation that is over lets no flow speak, and one that is not over holds it up afterwards', async () => {
    const pause = (until: Date | null) =>
      updateContact(world.db, {
        accountId: world.accountId,
        id: contact.contactId,
        changes: { automation_paused_until: until?.toISOString() ?? null },
      });
    await pause(new Date(Date.now() + 3_600_000));
    const runId = await enrolled([say('one')]);
    const paused = await world.look(runId);
    await request();
    expect(await world.look(runId, paused.type === 'wait' ? paused.step : undefined)).toMatchObject({
      waiting: 'silence',
    });
    await resolve();
    expect(await world.look(runId)).toMatchObject({ waiting: 'silence', dueInMs: expect.any(Number) });
    await pause(null);
    await world.look(runId);
    expect(await sent()).toEqual(['one']);
  });

  test('closing its conversation resolves it, once, and what waited goes on', async () => {
    const { id } = await request();
    const runId = await enrolled([say('one')]);
    await world.look(runId);
    await Promise.all([close(), close()]);
    expect(await handovers()).toMatchObject([{ id, status: 'resolved', outcome: null }]);
    await world.look(runId);
    expect(await sent()).toEqual(['one']);
  });

  test('expiring waits for who has the contact, as its runs do', async () => {
    await request();
    const { accountId } = world;
    const held = await holdLock(world.db, (sql) => lockContact(sql, { accountId, contactId: contact.contactId }));
    const expiring = expire();
    await held.hasStopped('for no key update of c');
    expect(await handovers()).toMatchObject([{ status: 'open' }]);
    await held.letThrough();
    await expiring;
    expect(await handovers()).toMatchObject([{ status: 'expired' }]);
  });

  test('resolving beside expiring ends it once, and wakes what waits', async () => {
    for (let round = 0; round < 5; round += 1) {
      const runId = await enrolled(whole());
      await world.look(runId);
      await letHandoversLapse(world.db, world.accountId);
      const { id } = await theOpenOne();
      const [, resolved] = await Promise.all([expireHandovers(world), resolve(id)]);
      await world.look(runId);
      expect((await sent()).at(-1)).toBe(resolved.status === 'resolved' ? 'back' : 'late');
    }
  });

  test('requesting beside closing leaves none open of a closed conversation, and none untold', async () => {
    for (let round = 0; round < 5; round += 1) {
      await world.says(contact.sender, 'hello');
      await Promise.all([close(), request()]);
      const [handover] = await handovers();
      const talks = new Map((await conversations()).map(({ id, status }) => [id, status]));
      const isOpen = handover?.status === 'open';
      expect(isOpen && talks.get(handover.conversationId ?? '')).not.toBe('closed');
      if (isOpen) await resolve();
    }
    expect(await told()).toHaveLength((await handovers()).length);
  });

  test('a flow that it holds up does not take its end for that of the handover that it requests itself', async () => {
    await request();
    const runId = await enrolled([say('one'), ...whole()]);
    expect(await world.look(runId)).toMatchObject({ waiting: 'silence' });
    await resolve();
    expect(await world.look(runId)).toMatchObject({ waiting: 'handover' });
    expect(await handovers()).toMatchObject([{ status: 'open', runId }, { status: 'resolved' }]);
  });

  test('STOP ends the flows of the contact, and the handover stays', async () => {
    const runId = await enrolled(whole());
    await world.look(runId);
    expect((await world.says(contact.sender, 'stop')).routedTo).toEqual({ to: 'consent', word: 'stop' });
    expect(await world.run(runId)).toMatchObject({ status: 'cancelled' });
    expect(await handovers()).toMatchObject([{ status: 'open' }]);
  });
});

describe("a word of the account's choice", () => {
  const choose = (words: string[]) => updateHandoverSettings(world.db, world.accountId, { words });
  beforeEach(() => choose(['agent', 'a human']).then(() => undefined));

  test('requests a handover before any flow, once; it is compared as keywords are', async () => {
    await aFlow(world.db, world.accountId, {
      blocks: [say('started')],
      triggers: [{ type: 'keyword', match: 'exact', words: ['a human'], interrupt: true }],
    });
    const runId = await enrolled([{ ...ask, next: { timeout: null } }]);
    await world.look(runId);
    const { routedTo } = await world.says(contact.sender, ' A Human\n');
    const [handover] = await handovers();
    expect(handover).toMatchObject({ requestedBy: 'contact', reason: 'A Human', runId: null });
    expect(routedTo).toEqual({ to: 'handover', handover_id: showId('handover', handover?.id ?? '') });
    expect((await world.says(contact.sender, 'agent')).routedTo).toEqual({ to: 'nobody', because: 'silence' });
    expect(await world.look(runId)).toMatchObject({ waiting: 'silence' });
    expect(await told()).toHaveLength(1);
  });

  test('among others asks for nobody', async () => {
    for (const text of ['my agent', 'agents', `agent${' '.repeat(200)}x`]) await world.says(contact.sender, text);
    expect(await handovers()).toEqual([]);
  });

  test('of somebody who has said STOP asks for nobody', async () => {
    await world.says(contact.sender, 'stop');
    expect((await world.says(contact.sender, 'agent')).routedTo).toEqual({ to: 'nobody', because: 'unsubscribed' });
    expect(await handovers()).toEqual([]);
  });

  test('asks for a person while automation is paused, too', async () => {
    const { accountId } = world;
    const changes = { automation_paused_until: new Date(Date.now() + 3_600_000).toISOString() };
    await updateContact(world.db, { accountId, id: contact.contactId, changes });
    expect((await world.says(contact.sender, 'agent')).routedTo).toMatchObject({ to: 'handover' });
  });

  test('in a first message makes the contact and the handover', async () => {
    const { contactId, routedTo } = await world.says(`new-${senders}`, 'agent');
    expect(routedTo).toMatchObject({ to: 'handover' });
    contact = { sender: '', contactId };
    expect(await handovers()).toMatchObject([{ status: 'open', conversationId: expect.any(String) }]);
  });

  test('that is taken away asks for nobody any more', async () => {
    await choose([]);
    expect((await findHandoverSettings(world.db, world.accountId)).words).toEqual([]);
    const { routedTo } = await world.says(contact.sender, 'agent');
    expect(routedTo).toMatchObject({ to: 'nobody' });
  });
});
