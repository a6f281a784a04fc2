import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { errorBody } from '../../src/api/middleware/errors.ts';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { startReceiver } from '../helpers/receiver.ts';
import type { Installation } from './installation.ts';
import { createLedger, type Ledger, type Respond, type Tally } from './ledger.ts';

/** An account with a channel and webhooks towards a receiver of its own: what one fault is tried on. */
export type Site = {
  accountId: string;
  ownerEmail: string;
  webhooks: string[];
  ledger: Ledger;
  /** The markers of the messages that were answered 202. */
  accepted: Set<string>;
  /** When each message was handed in for the first time, in ms since the epoch. */
  handedAtMs: Map<string, number>;
  /** The statuses of refusals in the error shape. */
  refusals: number[];
  /** From now on the receiver answers like this; at first 200. */
  respondWith: (respond: Respond) => void;
  /** Hands a message in once: its status, or undefined when the connection broke. */
  hand: (marker: string) => Promise<number | undefined>;
  /** Hands it in under the same message_id until it is accepted, as a sender does that wants nothing lost. */
  handUntilAccepted: (marker: string) => Promise<void>;
  /** Hands messages in at fixed moments, each until it is accepted. */
  load: (options: { perSecond: number; seconds: number; name?: string }) => Promise<void>;
  /**
   * Resolves when all that was accepted is delivered, at the receiver and in the database; rejects, with the counts, when
   * that does not come, and for whatever must never be.
   */
  settle: (timeoutMs?: number) => Promise<Tally>;
  close: () => Promise<void>;
};

export type SiteOptions = { webhooks?: number; respond?: Respond };

const withId = z.object({ id: z.string() });
const secret = 'the-secret-of-the-faults';
const acceptedWithinMs = 60_000;

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
  const accepted = new Set<string>();
  const refusals: number[] = [];
  const handedAtMs = new Map<string, number>();
  const hand = async (marker: string): Promise<number | undefined> => {
    if (!handedAtMs.has(marker)) handedAtMs.set(marker, Date.now());
    const message = { message_id: marker, sender: { external_id: 'ada' }, text: marker };
    const answer = await post(`/v1/channels/${channel.id}/inbound`, message).catch(() => undefined);
    // The connection may also break in the middle of an answer.
    const body: unknown = await answer?.json().catch(() => undefined);
    if (answer === undefined || body === undefined) return undefined;
    if (answer.status === 202) accepted.add(marker);
    else {
      errorBody.parse(body);
      refusals.push(answer.status);
    }
    return answer.status;
  };
  const handUntilAccepted = async (marker: string): Promise<void> => {
    const deadline = Date.now() + acceptedWithinMs;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      const status = await hand(marker);
      if (status === 202) return;
      if (status !== undefined && status < 500) throw new Error(`${marker} was refused for good: ${status}`);
      if (Date.now() > deadline) throw new Error(`${marker} was not accepted: ${status ?? 'no answer'}`);
      await sleep(pauseMs);
    }
  };

  // The sender becomes a contact before anyone is told: from here on one message is one event.
  await handUntilAccepted('the first one, before there was a webhook');
  accepted.clear();
  const webhooks = Array.from({ length: count }, (_, index) => `/${index + 1}`);
  for (const path of webhooks)
    await create('/v1/webhooks', { url: receiver.url(path), events: ['new_message'], secret });

  const unfinished = async (): Promise<number> => {
    const [row] = await db<{ left: number }[]>`
      select count(*)::int as left from deliveries where account_id = ${accountId} and status <> 'delivered'`;
    return row?.left ?? 0;
  };
  const tally = (): Tally => ledger.tally(accepted, webhooks);

  return {
    accountId,
    ownerEmail,
    webhooks,
    ledger,
    accepted,
    handedAtMs,
    refusals,
    respondWith: (next) => {
      respond = next;
    },
    hand,
    handUntilAccepted,
    load: async ({ perSecond, seconds, name = 'load' }) => {
      const startMs = Date.now();
      const handing: Promise<void>[] = [];
      for (let index = 0; index < perSecond * seconds; index += 1) {
        const earlyMs = startMs + (index * 1000) / perSecond - Date.now();
        if (earlyMs > 0) await sleep(earlyMs);
        handing.push(handUntilAccepted(`${name}-${index}`));
      }
      await Promise.all(handing);
    },
    settle: async (timeoutMs = 60_000) => {
      const all = async () => tally().lost === 0 && (await unfinished()) === 0;
      await vi.waitUntil(all, { timeout: timeoutMs, interval: 50 }).catch(async () => {
        throw new Error(
          `not all was delivered: ${JSON.stringify(tally())}, in the database ${await unfinished()} left`,
        );
      });
      const [row] = await db`select count(*)::int as stored from deliveries where account_id = ${accountId}`;
      const counts = tally();
      expect(ledger.problems).toEqual([]);
      expect(row).toEqual({ stored: counts.accepted });
      return counts;
    },
    close: () => receiver.close(),
  };
};
