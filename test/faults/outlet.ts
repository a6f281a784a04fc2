import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { startReceiver, type Answer } from '../helpers/receiver.ts';
import type { Installation } from './installation.ts';
import type { Tally } from './ledger.ts';
import { patienceMs } from './patience.ts';

/** A POST of a message that came in: its id, its text, its bytes, and when, in ms since the epoch. */
type Sent = { id: string; text: string; bytes: string; atMs: number };

/** An account with a contact and a channel towards a receiver of its own, for messages that go out. */
export type Outlet = {
  /** Sends a message to the contact; answers once it is accepted, by this process where one is named. */
  send: (text: string, by?: { url: string }) => Promise<void>;
  posts: Sent[];
  /** Resolves when everything that was accepted is sent, at the receiver and in the database; rejects for whatever must never be. */
  settle: () => Promise<Tally>;
  close: () => Promise<void>;
};

const secret = `whsec_${Buffer.from('the secret of the faults').toString('base64')}`;
const withId = z.object({ id: z.string() });
const callback = z.object({ id: z.string(), event: z.literal('message'), message: z.object({ text: z.string() }) });

/** `respond` answers each POST. Signatures are verified by the library of Standard Webhooks. */
export const createOutlet = async (
  { service, db, secrets }: Installation,
  respond: (posts: readonly Sent[]) => Answer | Promise<Answer>,
): Promise<Outlet> => {
  const owner = { name: 'Outlet', email: `owner-${randomUUID()}@example.com`, plan: 'business' } as const;
  const { accountId, apiKey } = await createAccount({ sql: db, secrets }, owner);
  const posts: Sent[] = [];
  const accepted = new Set<string>();
  const receiver = await startReceiver({
    respond: ({ rawBody, headers, receivedAtMs }) => {
      const verified = new Webhook(secret).verify(rawBody, z.record(z.string(), z.string()).parse(headers));
      const { id, message } = callback.parse(verified);
      posts.push({ id, text: message.text, bytes: String(rawBody), atMs: receivedAtMs });
      return respond(posts);
    },
  });

  const create = async (path: string, body: object, { url } = { url: service.url }): Promise<string> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(40_000),
    });
    expect(answer.status).toBe(201);
    return withId.parse(await answer.json()).id;
  };
  const channel_id = await create('/v1/channels', {
    type: 'api',
    name: 'Faults',
    callback_url: receiver.url('/'),
    secret,
  });
  const contactId = await create('/v1/contacts', {});

  return {
    posts,
    send: async (text, by) => {
      await create(`/v1/contacts/${contactId}/messages`, { text, channel_id }, by);
      accepted.add(text);
    },
    settle: async () => {
      const unsent = () => db`
        select from outbound_messages where account_id = ${accountId} and status <> 'sent'
        union all select from sendings where account_id = ${accountId}`;
      await vi.waitUntil(async () => (await unsent()).length === 0, { timeout: patienceMs, interval: 50 });
      const firsts = posts.filter(({ text }, index) => posts.findIndex((other) => other.text === text) === index);
      const stored = await db<{ text: string }[]>`
        select text from messages where account_id = ${accountId} and direction = 'outbound' order by seq`;
      expect(new Set(stored.map(({ text }) => text))).toEqual(accepted);
      expect(firsts.map(({ text }) => text)).toEqual(stored.map(({ text }) => text));
      for (const { text, id, bytes } of posts)
        expect(firsts).toContainEqual(expect.objectContaining({ text, id, bytes }));
      return {
        accepted: accepted.size,
        delivered: firsts.length,
        lost: accepted.size - firsts.length,
        sentAgain: posts.length - firsts.length,
        lastAtMs: Math.max(...posts.map(({ atMs }) => atMs)),
      };
    },
    close: () => receiver.close(),
  };
};
