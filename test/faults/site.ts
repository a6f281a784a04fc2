import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { startReceiver } from '../helpers/receiver.ts';
import type { Installation } from './installation.ts';
import { createLedger, type Ledger, type Respond, type Tally } from './ledger.ts';
import { createSender, type Sender } from './sender.ts';
import { patienceMs } from './patience.ts';

/** An account with a channel, a sender, and webhooks towards a receiver of its own: what one fault is tried on. */
export type Site = Sender & {
  accountId: string;
  ownerEmail: string;
  webhooks: string[];
  ledger: Ledger;
  /** From now on the receiver answers like this; at first 200. */
  respondWith: (respond: Respond) => void;
  /**
   * Resolves when all that was accepted is delivered, at the receiver and in the database; rejects, with the counts, when
   * that does not come, and for whatever must never be.
   */
  settle: (timeoutMs?: number) => Promise<Tally>;
  /** Attempts that were given up after ten seconds without an answer. */
  timedOut: () => Promise<number>;
  /** Rejects when something came after the site had settled, or ever came that must never be. */
  close: () => Promise<void>;
};

export type SiteOptions = { webhooks?: number; respond?: Respond };

const withId = z.object({ id: z.string() });
const secret = 'the-secret-of-the-faults';

export const createSite = async (
  { service, db, secrets }: Installation,
  { webhooks: count = 1, respond: first = () => 200 }: SiteOptions = {},
): Promise<Site> => {
  const ownerEmail = `owner-${randomUUID()}@example.com`;
  const owner = { name: 'Site', email: ownerEmail, plan: 'business' } as const;
  const { accountId, apiKey } = await createAccount({ sql: db, secrets }, owner);
  const ledger = createLedger(secret);
  let respond = first;
  const receiver = await startReceiver({ respond: (request) => ledger.receive(request, respond) });

  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(40_000),
    });
  const create = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await post(path, body);
    expect(answer.status).toBe(201);
    return withId.parse(await answer.json());
  };

  const channel = await create('/v1/channels', { type: 'api', name: 'Faults' });
  const sender = createSender((message) => post(`/v1/channels/${channel.id}/inbound`, message));
  // The sender becomes a contact before anyone is told: from here on one message is one event.
  await sender.handUntilAccepted('the first one, before there was a webhook');
  for (const noted of [sender.accepted, sender.handedAtMs]) noted.clear();
  const webhooks = Array.from({ length: count }, (_, index) => `/${index + 1}`);
  for (const path of webhooks)
    await create('/v1/webhooks', { url: receiver.url(path), events: ['new_message'], secret });

  /** What the database says, in deliveries; `finished` are those with nothing left to do, `succeeded` counts attempts. */
  const readRecord = async () => {
    const [row] = await db<{ stored: number; finished: number; succeeded: number }[]>`
      select count(*)::int as stored,
        count(*) filter (where status = 'delivered' and sweep_at is null)::int as finished,
        (select count(*)::int from attempts where account_id = ${accountId} and outcome = 'succeeded') as succeeded
      from deliveries where account_id = ${accountId}`;
    return { ...row };
  };
  const tally = (): Tally => ledger.tally(sender.accepted, webhooks);
  let settled: Tally | undefined;

  return {
    ...sender,
    accountId,
    ownerEmail,
    webhooks,
    ledger,
    respondWith: (next) => {
      respond = next;
    },
    settle: async (timeoutMs = patienceMs) => {
      const all = async () => {
        if (tally().lost > 0) return false;
        const { stored, finished } = await readRecord();
        return stored === finished;
      };
      await vi.waitUntil(all, { timeout: timeoutMs, interval: 50 }).catch(async () => {
        const counts = JSON.stringify({ ...tally(), inTheDatabase: await readRecord() });
        throw new Error(`not all was delivered: ${counts}`);
      });
      settled = tally();
      const { accepted } = settled;
      expect(ledger.problems).toEqual([]);
      expect(await readRecord()).toEqual({ stored: accepted, finished: accepted, succeeded: accepted });
      return settled;
    },
    timedOut: async () =>
      (await db`select from attempts where account_id = ${accountId} and reason = 'timeout'`).length,
    close: async () => {
      await receiver.close();
      expect(ledger.problems).toEqual([]);
      const last = tally();
      // What was handed in after it has not settled yet.
      if (settled?.accepted === last.accepted) expect(last).toEqual(settled);
    },
  };
};

/** Nothing came twice, but for what a machine that stood still gave up after ten seconds. */
export const expectNoneAgain = async (site: Site, { sentAgain }: Tally): Promise<void> =>
  expect(sentAgain).toBeLessThanOrEqual(await site.timedOut());

/** From handing a message in to a webhook's having its event, of the messages of one load that have come, in whole ms. */
export const p95Ms = ({ accepted, webhooks, handedAtMs, ledger }: Site, name: string): number => {
  const markers = [...accepted].filter((marker) => marker.startsWith(name));
  const took = markers
    .flatMap((marker) =>
      webhooks.flatMap((webhook) => {
        const takenAtMs = ledger.takenAtMs(webhook, marker);
        return takenAtMs === undefined ? [] : [takenAtMs - (handedAtMs.get(marker) ?? 0)];
      }),
    )
    .sort((a, b) => a - b);
  return took[Math.ceil(took.length * 0.95) - 1] ?? Number.NaN;
};
