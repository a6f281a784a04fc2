import { expect, vi } from 'vitest';
import { readId, showId } from '../../src/shared/ids.ts';
import { createSignInLink } from '../../src/shared/users/sign-in-links.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { anAgent, written, type Agent, type Step } from './agent.ts';
import type { Installation } from './installation.ts';
import type { Tally } from './ledger.ts';
import { comparePages } from './pages.ts';
import { patienceMs } from './patience.ts';
import type { Person } from './people.ts';
import { readTalks, type StoredTalk } from './read-talks.ts';
import type { FaultedService } from './service.ts';
import { openShop } from './shop.ts';

/** How an agent takes a conversation over and lets it go, and the step at which the fault is made. */
type Plan = {
  begins: 'assign' | 'first reply';
  ends: 'hand back' | 'close' | 'last reply';
  at: Exclude<Step, 'assign' | 'second reply'>;
};

const plans: readonly Plan[] = [
  { begins: 'first reply', at: 'first reply', ends: 'hand back' },
  { begins: 'assign', at: 'note', ends: 'close' },
  { begins: 'assign', at: 'hand back', ends: 'hand back' },
  { begins: 'first reply', at: 'close', ends: 'close' },
  { begins: 'assign', at: 'last reply', ends: 'last reply' },
];

const asks = 'Which size?';

/** What a contact says while an agent has the conversation: an answer to the question, and what else would begin the flow. */
const silenced = ['M', 'order again'];

const answer = 'L';
const says = 'You chose L.';

const heardOf = ({ ends }: Plan): string[] => [
  asks,
  written['first reply'],
  written['second reply'],
  ...(ends === 'last reply' ? [written[ends]] : []),
  says,
];

/** What must be stored in the end of a talk with an agent that began with this text, but for the ids of messages. */
const expectedOf = (plan: Plan, agent: Agent, begins: string) => {
  const by = readId('user', agent.userId);
  const isClosed = plan.ends !== 'hand back';
  const said = (text: string, because: string | null = null) => ({
    direction: 'inbound',
    text,
    by: 'contact',
    because,
  });
  const told = (text: string) => ({
    direction: 'outbound',
    text,
    by: text === asks || text === says ? 'flow' : by,
    because: null,
  });
  const [ask = '', hello = '', ...rest] = heardOf(plan);
  const open = { status: 'open', assignedTo: null };
  return {
    runs: ['completed'],
    handovers: ['resolved'],
    messages: [
      said(begins),
      told(ask),
      told(hello),
      ...silenced.map((text) => said(text, 'silence')),
      ...rest.slice(0, -1).map(told),
      said(answer),
      ...rest.slice(-1).map(told),
    ],
    changes: [
      { kind: 'assigned', by, text: agent.userId },
      { kind: 'handed_over', by, text: null },
      { kind: 'note', by, text: written.note },
      ...(isClosed ? [{ kind: 'closed', by, text: null }] : []),
      { kind: 'handed_back', by, text: null },
    ],
    conversations: isClosed ? [{ status: 'closed', assignedTo: by }, open] : [open],
  };
};

export type Takeovers = {
  /** How many steps of agents the fault is made at. */
  steps: number;
  /** Has everybody talk until each agent is about to take the step at which the fault is made, and nothing is queued. */
  begin: () => Promise<void>;
  /** Has the agents take that step and go on; resolves when all is said. */
  goOn: () => Promise<void>;
  /** How many of these steps are answered. */
  countTaken: () => number;
  /** How many steps have got the answer of an earlier try. */
  countReplayed: () => number;
  /** Rejects for whatever must never be: something missing, twice, or out of order, or a word of the flow while an agent talks. */
  settle: () => Promise<Tally>;
  close: () => void;
};

/**
 * Ten people begin a flow, five over webchat and five over Telegram. Before they answer its question an agent takes each conversation over, writes, and
 * lets it go; then they answer. Agents of users of Telegram ask `second` while it runs.
 */
export const createTakeovers = async (installed: Installation, second: FaultedService): Promise<Takeovers> => {
  const { db, service } = installed;
  const { length: ofEach } = plans;
  const flow = { asks, says: 'You chose {{size}}.' };
  const shop = await openShop(installed, { visitors: ofEach, users: ofEach, ...flow });
  const { accountId, people } = shop;
  const signIn = async (): Promise<Agent> => {
    const userId = await aColleague(db, accountId, 'agent');
    const link = await createSignInLink(db, { userId, baseUrl: service.url });
    return anAgent(service.url, link ?? expect.fail('no link'));
  };
  // What a user writes waits for what the same user writes in other conversations, because of the drafts.
  const cast = await Promise.all(
    people.map(async (person, index) => ({
      person,
      agent: await signIn(),
      plan: plans[index % ofEach] ?? expect.fail('no plan'),
      askedAt: index < ofEach ? service : second,
      begins: `order ${index}`,
      isAtStep: Promise.withResolvers<void>(),
    })),
  );
  const waiting = { timeout: patienceMs, interval: 20 };
  const gate = Promise.withResolvers<void>();
  let all: Promise<unknown> | undefined;
  let taken = 0;

  const findConversation = async (text: string): Promise<string> => {
    const [row] = await db<{ conversationId: string }[]>`
      select conversation_id from messages where account_id = ${accountId} and text = ${text}`;
    return showId('conversation', row?.conversationId ?? expect.fail(`nobody has said ${text}`));
  };

  const talk = async ({ person, agent, plan, askedAt, begins, isAtStep }: (typeof cast)[number]): Promise<void> => {
    const say = async (text: string): Promise<void> => {
      await person.say(text);
      await vi.waitUntil(person.isHeard, waiting);
    };
    const hears = async (text: string): Promise<void> => {
      const isTold = async () => (await person.heard().catch((): string[] => [])).includes(text);
      await vi.waitUntil(isTold, { timeout: patienceMs, interval: 100 });
    };
    await say(begins);
    await hears(asks);
    const id = await findConversation(begins);
    const take = async (step: Step): Promise<void> => {
      if (step === plan.at) {
        isAtStep.resolve();
        await gate.promise;
      }
      await agent.take(step, id, () => (askedAt.isRunning() ? askedAt : service).url);
      if (step === plan.at) taken += 1;
    };
    if (plan.begins === 'assign') await take('assign');
    await take('first reply');
    await hears(written['first reply']);
    for (const text of silenced) await say(text);
    await take('note');
    await take('second reply');
    await hears(written['second reply']);
    await take(plan.ends);
    if (plan.ends === 'last reply') await hears(written[plan.ends]);
    await say(answer);
    await hears(says);
  };

  const isNothingQueued = async (): Promise<boolean> => {
    const queued = await db`
      select from outbound_messages where account_id = ${accountId} and status <> 'sent'
      union all select from sendings where account_id = ${accountId}`.catch(() => undefined);
    return queued?.length === 0;
  };

  const compare = async (person: Person, stored: StoredTalk | undefined, expected: object): Promise<void> => {
    const { messages = [], ...rest } = stored ?? {};
    const said = messages.map(({ direction, text, by, because }) => ({ direction, text, by, because }));
    expect({ ...rest, messages: said }).toEqual(expected);
    await comparePages(person, messages);
  };

  return {
    steps: cast.length,
    begin: async () => {
      all = Promise.all(cast.map(talk));
      await Promise.race([all, Promise.all(cast.map(({ isAtStep }) => isAtStep.promise))]);
      await vi.waitUntil(isNothingQueued, waiting);
    },
    goOn: async () => {
      gate.resolve();
      await all;
    },
    countTaken: () => taken,
    countReplayed: () => cast.reduce((sum, { agent }) => sum + agent.countReplayed(), 0),
    settle: async () => {
      await vi.waitUntil(isNothingQueued, { timeout: patienceMs, interval: 100 });
      const lastAtMs = Date.now();
      const talks = await readTalks(db, accountId);
      const counts = { accepted: 0, delivered: 0, came: 0 };
      for (const { person, agent, plan, begins } of cast) {
        await compare(person, talks.get(begins), expectedOf(plan, agent, begins));
        const heard = await person.heard();
        expect(heard).toEqual(heardOf(plan));
        counts.accepted += heardOf(plan).length;
        counts.delivered += new Set(heard).size;
        counts.came += heard.length;
      }
      expect(talks.size).toBe(cast.length);
      const { accepted, delivered, came } = counts;
      return { accepted, delivered, lost: accepted - delivered, sentAgain: came - delivered, lastAtMs };
    },
    close: shop.close,
  };
};
