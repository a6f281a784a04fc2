import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findHandoverSettings, updateHandoverSettings } from '../../../../src/shared/accounts/handover-settings.ts';
import { lockContact } from '../../../../src/shared/contacts/lock-contact.ts';
import { updateContact } from '../../../../src/shared/contacts/queries.ts';
import { listConversations } from '../../../../src/shared/messages/conversations/find-conversations.ts';
import { findHandover, listHandovers } from '../../../../src/shared/handovers/queries.ts';
import { requestHandover } from '../../../../src/shared/handovers/request.ts';
import type { HandoverRow } from '../../../../src/shared/handovers/schema.ts';
import { showId } from '../../../../src/shared/ids.ts';
import { expireHandovers, resolveHandover } from '../../../../src/shared/handovers/end.ts';
import { closeConversation } from '../../../../src/shared/messages/conversations/close.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../../helpers/live-flows.ts';
import { holdLock } from '../../../helpers/locks.ts';
import { haveEndedHandovers, letHandoversLapse } from '../../../helpers/states/handovers.ts';
import { untold } from '../../../helpers/untold.ts';

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
  test('the block handover requests one, waits in the background, and goes on when it is resolved', async () => {
    const runId = await enrolled(whole());
    expect(await world.advance(runId)).toMatchObject({ waiting: 'handover', dueInMs: expect.any(Number) });
    const [conversation] = await conversations();
    expect(await handovers()).toMatchObject([
      { status: 'open', requestedBy: 'flow', runId, reason: 'Help', conversationId: conversation?.id },
    ]);
    expect(conversation?.state).toBe('handover');
    expect(await told()).toHaveLength(1);
    expect(await isWoken(runId)).toBe(false);
    await resolve();
    expect(await isWoken(runId)).toBe(true);
    expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
    expect(await sent()).toEqual(['back']);
    expect((await conversations())[0]?.state).toBe('idle');
  });

  test('the block handover waits for the one that is open already, and requests none', async () => {
    const { id } = await request();
    const runId = await enrolled(whole());
    expect(await world.advance(runId)).toMatchObject({ waiting: 'handover' });
    expect(await handovers()).toMatchObject([{ id, requestedBy: 'api' }]);
    expect(await told()).toHaveLength(1);
    await resolve();
    await world.advance(runId);
    expect(await sent()).toEqual(['back']);
  });

  test('the block handover leaves by timeout when its time is over, and its handover expires', async () => {
    const runId = await enrolled(whole({ timeout: 'PT1H' }));
    const next = await world.advance(runId);
    await world.advance(runId, next.type === 'wait' ? next.step : undefined);
    expect(await sent()).toEqual(['late']);
    expect(await handovers()).toMatchObject([{ status: 'expired' }]);
  });

  test('a block handover that times out stays silent while another handover is open', async () => {
    await request();
    const runId = await enrolled(whole({ timeout: 'PT1H' }));
    const next = await world.advance(runId);
    expect(await world.advance(runId, next.type === 'wait' ? next.step : undefined)).toMatchObject({
      waiting: 'silence',
    });
    expect(await handovers()).toMatchObject([{ status: 'open' }]);
    await resolve();
    await world.advance(runId);
    expect(await sent()).toEqual(['late']);
  });

  test('a handover expires however many have ended before', async () => {
    await request();
    const { id } = await theOpenOne();
    // More than are expired at once.
    await haveEndedHandovers(world.db, contact.contactId, 250);
    await expire();
    expect(await findHandover(world.db, world.accountId, id)).toMatchObject({ status: 'expired' });
  });

  test('the block handover leaves by timeout when the handover expires first', async () => {
    const runId = await enrolled(whole());
    await world.advance(runId);
    await expireHandovers(world);
    expect(await handovers()).toMatchObject([{ status: 'open' }]);
    await expire();
    expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
    expect(await sent()).toEqual(['late']);
    expect(await handovers()).toMatchObject([{ status: 'expired', endedAt: expect.any(Date) }]);
  });

  test('a block handover that does not wait goes on, and later messages wait for the resolution', async () => {
    const tag = { id: 'tag', type: 'add_tag', tag: 'handed-over' };
    const runId = await enrolled([handOver({ wait: false }), tag, say('back')]);
    expect(await world.advance(runId)).toMatchObject({ waiting: 'silence', blockId: 'back' });
    expect(await sent()).toEqual([]);
    expect(await world.db`select from contact_tags where contact_id = ${contact.contactId}`).toHaveLength(1);
    await resolve();
    await world.advance(runId);
    expect(await sent()).toEqual(['back']);
  });

  test('close_conversation in the same pass resolves the handover, and the flow may speak again', async () => {
    const close = { id: 'close', type: 'close_conversation' };
    const runId = await enrolled([handOver({ wait: false }), close, say('back')]);
    expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
    expect(await handovers()).toMatchObject([{ status: 'resolved' }]);
    expect(await sent()).toEqual(['back']);
  });

  test('a handover with an empty reason has the name of the flow; a long reason is cut', async () => {
    const runs = [await enrolled([handOver({ reason: '{{last_name}}', wait: false })])];
    await world.advance(runs[0] ?? '');
    expect((await theOpenOne()).reason).not.toBe('');
    await resolve();
    await world.advance(await enrolled([handOver({ reason: 'x'.repeat(600), wait: false })]));
    expect((await theOpenOne()).reason).toBe('x'.repeat(500));
  });

  test('a second visit of the block handover waits for the next handover, not the last one', async () => {
    const runId = await enrolled([
      handOver({ next: { timeout: null } }),
      { id: 'again', type: 'goto', block: 'people' },
    ]);
    for (let round = 0; round < 3; round += 1) {
      expect(await world.advance(runId)).toMatchObject({ waiting: 'handover' });
      await resolve();
    }
    expect(await world.advance(runId)).toMatchObject({ waiting: 'handover' });
    expect(await handovers()).toHaveLength(4);
  });
});

describe('while a handover is open', () => {
  test('during a handover no message starts or answers a flow, and clocks of asks stand still', async () => {
    const { db, accountId } = world;
    const blocks = [say('started')];
    await aFlow(db, accountId, {
      blocks,
      triggers: [{ type: 'keyword', match: 'exact', words: ['shirt'], interrupt: true }],
    });
    const runId = await enrolled([ask, say('thanks'), { id: 'end', type: 'end' }, say('late')]);
    const asked = await world.advance(runId);
    await request();
    expect(await isWoken(runId)).toBe(true);
    expect(await world.advance(runId, asked.type === 'wait' ? asked.step : undefined)).toMatchObject({
      waiting: 'silence',
    });
    for (const text of ['shirt', 'an answer'])
      expect((await world.says(contact.sender, text)).routedTo).toEqual({ to: 'nobody', because: 'silence' });
    expect(await world.advance(runId)).toMatchObject({ waiting: 'silence' });
    expect(await sent()).toEqual(['Which?']);
    await resolve();
    expect(await isWoken(runId)).toBe(true);
    expect(await world.advance(runId)).toMatchObject({ waiting: 'reply' });
    await world.says(contact.sender, 'M');
    await world.advance(runId);
    expect(await sent()).toEqual(['Which?', 'thanks']);
  });

  test('a flow that the API starts holds its messages back until the handover has expired', async () => {
    await request();
    const runId = await enrolled([say('one'), say('two')]);
    expect(await world.advance(runId)).toMatchObject({ waiting: 'silence' });
    await expire();
    expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
    expect(await sent()).toEqual(['one', 'two']);
  });

  test('a handover outlasts a pause of automation, and a longer pause outlasts the handover', async () => {
    const pause = (until: Date | null) =>
      world.transact((tx) =>
        updateContact(tx, {
          accountId: world.accountId,
          id: contact.contactId,
          changes: { automation_paused_until: until?.toISOString() ?? null },
        }),
      );
    await pause(new Date(Date.now() + 3_600_000));
    const runId = await enrolled([say('one')]);
    const paused = await world.advance(runId);
    await request();
    expect(await world.advance(runId, paused.type === 'wait' ? paused.step : undefined)).toMatchObject({
      waiting: 'silence',
    });
    await resolve();
    expect(await world.advance(runId)).toMatchObject({ waiting: 'silence', dueInMs: expect.any(Number) });
    await pause(null);
    await world.advance(runId);
    expect(await sent()).toEqual(['one']);
  });

  test('closing the conversation of a handover resolves it once, and waiting runs go on', async () => {
    const { id } = await request();
    const runId = await enrolled([say('one')]);
    await world.advance(runId);
    await Promise.all([close(), close()]);
    expect(await handovers()).toMatchObject([{ id, status: 'resolved', outcome: null }]);
    await world.advance(runId);
    expect(await sent()).toEqual(['one']);
  });

  test('expiring a handover waits for whoever has locked the contact', async () => {
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

  test('resolving beside expiring ends a handover once, and wakes waiting runs', async () => {
    for (let round = 0; round < 5; round += 1) {
      const runId = await enrolled(whole());
      await world.advance(runId);
      await letHandoversLapse(world.db, world.accountId);
      const { id } = await theOpenOne();
      const [, resolved] = await Promise.all([expireHandovers(world), resolve(id)]);
      await world.advance(runId);
      expect((await sent()).at(-1)).toBe(resolved.status === 'resolved' ? 'back' : 'late');
    }
  });

  test('requesting beside closing leaves no open handover of a closed conversation', async () => {
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

  test('a flow that a handover held up waits for the end of the one that it requests itself', async () => {
    await request();
    const runId = await enrolled([say('one'), ...whole()]);
    expect(await world.advance(runId)).toMatchObject({ waiting: 'silence' });
    await resolve();
    expect(await world.advance(runId)).toMatchObject({ waiting: 'handover' });
    expect(await handovers()).toMatchObject([{ status: 'open', runId }, { status: 'resolved' }]);
  });

  test('STOP ends the flows of a contact, and its handover stays', async () => {
    const runId = await enrolled(whole());
    await world.advance(runId);
    expect((await world.says(contact.sender, 'stop')).routedTo).toEqual({ to: 'consent', word: 'stop' });
    expect(await world.run(runId)).toMatchObject({ status: 'cancelled' });
    expect(await handovers()).toMatchObject([{ status: 'open' }]);
  });
});

describe("a word of the account's choice", () => {
  const choose = (words: string[]) => updateHandoverSettings(untold(world.db), world.accountId, { words });
  beforeEach(() => choose(['agent', 'a human']).then(() => undefined));

  test('a handover word requests a handover once, before any flow, and is compared as a keyword', async () => {
    await aFlow(world.db, world.accountId, {
      blocks: [say('started')],
      triggers: [{ type: 'keyword', match: 'exact', words: ['a human'], interrupt: true }],
    });
    const runId = await enrolled([{ ...ask, next: { timeout: null } }]);
    await world.advance(runId);
    const { routedTo } = await world.says(contact.sender, ' A Human\n');
    const [handover] = await handovers();
    expect(handover).toMatchObject({ requestedBy: 'contact', reason: 'A Human', runId: null });
    expect(routedTo).toEqual({ to: 'handover', handover_id: showId('handover', handover?.id ?? '') });
    expect((await world.says(contact.sender, 'agent')).routedTo).toEqual({ to: 'nobody', because: 'silence' });
    expect(await world.advance(runId)).toMatchObject({ waiting: 'silence' });
    expect(await told()).toHaveLength(1);
  });

  test('a handover word among other words requests nothing', async () => {
    for (const text of ['my agent', 'agents', `agent${' '.repeat(200)}x`]) await world.says(contact.sender, text);
    expect(await handovers()).toEqual([]);
  });

  test('a handover word of somebody who has said STOP requests nothing', async () => {
    await world.says(contact.sender, 'stop');
    expect((await world.says(contact.sender, 'agent')).routedTo).toEqual({ to: 'nobody', because: 'unsubscribed' });
    expect(await handovers()).toEqual([]);
  });

  test('a handover word requests a handover while automation is paused, too', async () => {
    const { accountId } = world;
    const changes = { automation_paused_until: new Date(Date.now() + 3_600_000).toISOString() };
    await world.transact((tx) => updateContact(tx, { accountId, id: contact.contactId, changes }));
    expect((await world.says(contact.sender, 'agent')).routedTo).toMatchObject({ to: 'handover' });
  });

  test('a handover word in a first message makes the contact and the handover', async () => {
    const { contactId, routedTo } = await world.says(`new-${senders}`, 'agent');
    expect(routedTo).toMatchObject({ to: 'handover' });
    contact = { sender: '', contactId };
    expect(await handovers()).toMatchObject([{ status: 'open', conversationId: expect.any(String) }]);
  });

  test('a handover word that was removed requests nothing', async () => {
    await choose([]);
    expect((await findHandoverSettings(world.db, world.accountId)).words).toEqual([]);
    const { routedTo } = await world.says(contact.sender, 'agent');
    expect(routedTo).toMatchObject({ to: 'nobody' });
  });
});
