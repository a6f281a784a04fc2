import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { showId } from '../../src/shared/ids.ts';
import type { FlowBlocks } from '../helpers/live-flows.ts';
import { startReceiver, type Answer, type ReceivedRequest } from '../helpers/receiver.ts';
import type { Installation } from './installation.ts';
import type { Tally } from './ledger.ts';
import { patienceMs } from './patience.ts';

/** A flow that contacts enter by a word, and what a walk through it has to come to, once. */
export type Course = {
  /** The url of the service that it may call. */
  blocks: (shopUrl: string) => FlowBlocks;
  /** Its steps in order, as "block: port". */
  steps: readonly string[];
  fields: Readonly<Record<string, unknown>>;
  messages: readonly string[];
};

/**
 * A request of a run's block, or a message to a contact, which has its text for a block; how often its key or id has come, this time
 * included, and when, in ms since the epoch.
 */
type Arrival = { of: string; block: string; key: string; time: number; atMs: number };

type Take = (arrival: Arrival) => Answer | Promise<Answer>;

/** An account with flows, contacts who walk through them, a service that these call, and a receiver of their messages. */
export type Walks = {
  accountId: string;
  /** The requests that came to the service, in order. */
  asked: readonly Arrival[];
  /** The messages that came for contacts, in order. */
  told: readonly Arrival[];
  /** Requests and messages that came in and have no answer yet. */
  underWay: () => number;
  /** These contacts say a word, each until it is accepted. */
  say: (contacts: readonly string[], text: string) => Promise<void>;
  /** These contacts, who have written before, are enrolled in the flow of a word. */
  enroll: (contacts: readonly string[], word: string) => Promise<void>;
  /** These contacts, who have written before, get a tag. */
  tag: (contacts: readonly string[], tag: string) => Promise<void>;
  /** What the contacts do who wait for themselves: they answer what they are asked, and get the tag that they wait for. */
  goOn: (until: AbortSignal) => Promise<void>;
  /** How many runs wait like this. */
  countWaiting: (waiting: string) => Promise<number>;
  /** How many messages to contacts are not recorded as sent. */
  countUnsent: () => Promise<number>;
  /** How many steps are done. */
  countSteps: () => Promise<number>;
  /** The ids of the runs of contacts who said this word. */
  runsOf: (word: string) => Promise<string[]>;
  /** Resolves when every run has ended and every message is sent; rejects for whatever must never be. */
  settle: (timeoutMs?: number) => Promise<void>;
  /** What came of the contacts who said this word: walks, and requests and messages that were sent again. */
  tally: (word: string) => Promise<Tally>;
  close: () => Promise<void>;
};

const secret = `whsec_${Buffer.from('the secret of the faults').toString('base64')}`;
const withId = z.object({ id: z.string() });
const callback = z.object({
  id: z.string(),
  message: z.object({ text: z.string() }),
  contact: z.object({ id: z.string() }),
});

/** `onAsked` answers requests of flows, `onTold` messages to contacts. */
export const createWalks = async (
  { service, db, secrets }: Installation,
  {
    courses,
    through = () => [service.url],
    onAsked = () => ({ type: 'respond', body: '{"number": 7}' }),
    onTold = () => 200,
  }: {
    courses: Readonly<Record<string, Course>>;
    /** The processes that each call of a contact is made to, at the same time. Only the first one has to answer it. */
    through?: () => readonly [string, ...string[]];
    onAsked?: Take;
    onTold?: Take;
  },
): Promise<Walks> => {
  const owner = { name: 'Walks', email: `owner-${randomUUID()}@example.com`, plan: 'business' } as const;
  const { accountId, apiKey } = await createAccount({ sql: db, secrets }, owner);
  const asked: Arrival[] = [];
  const told: Arrival[] = [];
  const bytesOf = new Map<string, string>();
  const problems: string[] = [];
  /** Of each contact, the first arrivals of messages in order, and the word that it has begun with. */
  const heard = new Map<string, string[]>();
  const began = new Map<string, string>();
  let underWay = 0;

  const note = (list: Arrival[], request: ReceivedRequest, { key, ...of }: Pick<Arrival, 'of' | 'block' | 'key'>) => {
    const bytes = String(request.rawBody);
    if ((bytesOf.get(key) ?? bytes) !== bytes) problems.push(`${key} came with other bytes`);
    bytesOf.set(key, bytes);
    const time = list.filter((other) => other.key === key).length + 1;
    const arrival = { ...of, key, time, atMs: request.receivedAtMs };
    list.push(arrival);
    return arrival;
  };
  const take = (request: ReceivedRequest): Answer | Promise<Answer> => {
    if (request.path !== '/messages') {
      const key = z.string().parse(request.headers['idempotency-key']);
      return onAsked(note(asked, request, { of: key.split(':', 1)[0] ?? '', block: request.path.slice(1), key }));
    }
    const verified = new Webhook(secret).verify(
      request.rawBody,
      z.record(z.string(), z.string()).parse(request.headers),
    );
    const { id: key, message, contact } = callback.parse(verified);
    const arrival = note(told, request, { of: contact.id, block: message.text, key });
    if (arrival.time === 1) heard.set(contact.id, [...(heard.get(contact.id) ?? []), message.text]);
    return onTold(arrival);
  };
  const receiver = await startReceiver({
    respond: async (request) => {
      underWay += 1;
      try {
        return await take(request);
      } catch (error) {
        problems.push(String(error));
        return 400;
      } finally {
        underWay -= 1;
      }
    },
  });

  /** Repeats a call that changes nothing more the second time, until it is answered well. */
  const persist = async (method: string, path: string, body?: object): Promise<unknown> => {
    const [first, ...others] = through();
    const beside = others.map((url) => persistAt(url, { method, path, body }));
    const answer = await persistAt(first, { method, path, body });
    await Promise.all(beside);
    return answer;
  };
  const persistAt = async (url: string, { method, path, body }: Call): Promise<unknown> => {
    const deadline = Date.now() + patienceMs;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      const answer = await fetch(`${url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(40_000),
      }).catch(() => undefined);
      const text = await answer?.text().catch(() => undefined);
      if (answer?.ok && text !== undefined) return JSON.parse(text);
      if (answer && answer.status < 500) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      // It was killed, and another one answers.
      if (!through().includes(url)) return undefined;
      if (Date.now() > deadline) throw new Error(`${method} ${path} was not answered: ${answer?.status}`);
      await sleep(pauseMs);
    }
  };
  const create = async (path: string, body: object): Promise<string> =>
    withId.parse(await persistAt(service.url, { method: 'POST', path, body })).id;

  const callbackUrl = { callback_url: receiver.url('/messages'), secret };
  const channelId = await create('/channels', { type: 'api', name: 'Faults', ...callbackUrl });
  for (const [key, type] of Object.entries({ size: 'text', counted: 'number', order: 'number' }))
    await create('/custom-fields', { key, name: key, type });
  const flowOf = new Map<string, string>();
  for (const [word, { blocks }] of Object.entries(courses)) {
    const triggers = [{ type: 'keyword', match: 'exact', words: [word], priority: 1, interrupt: false }];
    // Whoever is in it may enter it again: a word that counts twice is seen.
    const rest = { schema_version: 1, reentry: 'allow', triggers };
    const all = blocks(receiver.url('/'));
    const flowId = await create('/flows', { name: word, definition: { ...rest, start: all[0]?.id, blocks: all } });
    await persistAt(service.url, { method: 'POST', path: `/flows/${flowId}/publish` });
    flowOf.set(word, flowId);
  }

  const say = async (contact: string, text: string): Promise<void> => {
    if (!began.has(contact)) began.set(contact, text);
    const message = { message_id: `${contact} ${text}`, sender: { external_id: contact }, text };
    await persist('POST', `/channels/${channelId}/inbound`, message);
  };
  const idOf = async (contact: string): Promise<string> => {
    const [row] = await db<{ contactId: string }[]>`
      select i.contact_id from contact_identities i join contacts c on c.id = i.contact_id
      where c.account_id = ${accountId} and i.external_id = ${contact}`;
    return showId('contact', row?.contactId ?? expect.fail(contact));
  };
  const handled = new Set<string>();
  const listWaiting = (waiting: string) => db<Waiting[]>`
    select r.id, r.contact_id, i.external_id as contact from runs r join contact_identities i on i.contact_id = r.contact_id
    where r.account_id = ${accountId} and r.waiting = ${waiting}`;
  const act = async (waiting: string, work: (run: Waiting) => Promise<unknown>): Promise<void> => {
    const rows = await listWaiting(waiting).catch(() => []);
    const fresh = rows.filter(({ id }) => !handled.has(`${id} ${waiting}`));
    for (const { id } of fresh) handled.add(`${id} ${waiting}`);
    await inParallel(fresh, work);
  };

  const readRuns = () => db<StoredRun[]>`
    select r.id, c.id as contact_id, i.external_id as contact, r.status, r.reason, r.sweep_at, c.custom_fields as fields,
      extract(epoch from r.ended_at)::float8 * 1000 as ended_at_ms,
      array(select block_id || ': ' || coalesce(port, status) from run_steps where run_id = r.id order by number) as steps,
      array(select m.text from outbound_messages o join messages m on m.id = o.message_id
        where o.run_id = r.id order by run_step, position) as messages
    from runs r join contacts c on c.id = r.contact_id join contact_identities i on i.contact_id = c.id
    where r.account_id = ${accountId} order by r.id`;
  const unsent = () => db`
    select from outbound_messages where account_id = ${accountId} and status <> 'sent'
    union all select from sendings where account_id = ${accountId}`;
  const runsOf = async (word: string) => (await readRuns()).filter(({ contact }) => began.get(contact) === word);

  return {
    accountId,
    asked,
    told,
    underWay: () => underWay,
    say: (contacts, text) => inParallel(contacts, (contact) => say(contact, text)),
    enroll: (contacts, word) =>
      inParallel(contacts, async (contact) => {
        began.set(contact, word);
        await persist('POST', `/contacts/${await idOf(contact)}/flows`, { flow_id: flowOf.get(word) });
      }),
    tag: (contacts, tag) =>
      inParallel(
        contacts,
        async (contact) => void (await persist('PUT', `/contacts/${await idOf(contact)}/tags/${tag}`)),
      ),
    goOn: async (until) => {
      while (!until.aborted) {
        await act('reply', ({ contact }) => say(contact, 'L'));
        await act('event', ({ contactId }) => persist('PUT', `/contacts/${showId('contact', contactId)}/tags/vip`));
        await sleep(50);
      }
    },
    countWaiting: async (waiting) => (await listWaiting(waiting)).length,
    countUnsent: async () => (await unsent()).length,
    countSteps: async () => {
      const [row] = await db<{ count: number }[]>`
        select count(*)::int from run_steps s join runs r on r.id = s.run_id
        where r.account_id = ${accountId} and s.status = 'done'`;
      return row?.count ?? 0;
    },
    runsOf: async (word) => (await runsOf(word)).map(({ id }) => id),
    settle: async (timeoutMs = patienceMs) => {
      const settled = async () => {
        const runs = await readRuns();
        const isOver = runs.length >= began.size && runs.every(({ sweepAt }) => sweepAt === null);
        return isOver && (await unsent()).length === 0;
      };
      await vi.waitUntil(settled, { timeout: timeoutMs, interval: 100 }).catch(async () => {
        const left = (await readRuns()).filter(({ sweepAt }) => sweepAt !== null);
        throw new Error(
          `not all is over: ${JSON.stringify({ left: left.slice(0, 5), unsent: (await unsent()).length })}`,
        );
      });
      expect(problems).toEqual([]);
      const runs = await readRuns();
      expect(runs.map(({ contact }) => contact).toSorted()).toEqual([...began.keys()].toSorted());
      for (const { contact, contactId, status, reason, fields, steps, messages } of runs) {
        const { blocks: _, ...expected } = courses[began.get(contact) ?? ''] ?? expect.fail(contact);
        expect({ contact, status, reason, fields, steps, messages }).toEqual({
          contact,
          status: 'completed',
          reason: null,
          ...expected,
        });
        expect(heard.get(showId('contact', contactId)) ?? []).toEqual(expected.messages);
      }
      for (const { of, block, key } of asked) expect(key).toBe(`${of}:${block}:1`);
    },
    tally: async (word) => {
      const runs = await runsOf(word);
      const ids = new Set(runs.flatMap(({ id, contactId }) => [showId('run', id), showId('contact', contactId)]));
      const { length: accepted } = [...began.values()].filter((begun) => begun === word);
      const { length: delivered } = runs.filter(({ status }) => status === 'completed');
      const arrivals = [...asked, ...told].filter(({ of }) => ids.has(of));
      return {
        accepted,
        delivered,
        lost: accepted - delivered,
        sentAgain: arrivals.filter(({ time }) => time > 1).length,
        lastAtMs: Math.max(...runs.map(({ endedAtMs }) => endedAtMs ?? 0), ...arrivals.map(({ atMs }) => atMs)),
      };
    },
    close: () => receiver.close(),
  };
};

type Call = { method: string; path: string; body?: object | undefined };

type Waiting = { id: string; contactId: string; contact: string };

type StoredRun = {
  id: string;
  contactId: string;
  contact: string;
  status: string;
  reason: string | null;
  sweepAt: Date | null;
  endedAtMs: number | null;
  fields: Record<string, unknown>;
  steps: string[];
  messages: string[];
};

/** Does so with eight at once. */
const inParallel = async <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> => {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
};
