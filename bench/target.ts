import { Pool } from 'undici';
import { z } from 'zod';
import { createAccount } from '../src/shared/accounts/create-account.ts';
import { connectDatabase } from '../src/shared/db/connect.ts';
import { createSecrets } from '../src/shared/secrets/seal.ts';

/** Where the load goes: one running Parley with an account, a channel, and a webhook at the receiver. */
export type Target = {
  /** Hands in a message; resolves when it was answered 202, rejects when it was not. */
  hand: (marker: string) => Promise<void>;
  close: () => Promise<void>;
};

export type TargetOptions = { url: string; database: string; masterKey: Uint8Array; receiverPort: number };

const withId = z.object({ id: z.string() });

/** Senders that write in turn: the first round makes contacts of them, which the warm-up is long enough for. */
const senders = 50;

/** Connections to the API; more than it can use at once. */
const connections = 64;

export const createTarget = async ({ url, database, masterKey, receiverPort }: TargetOptions): Promise<Target> => {
  const sql = connectDatabase(database, { max: 1 });
  const owner = { name: 'Bench', email: 'bench@example.com', plan: 'business' } as const;
  const { apiKey } = await createAccount({ sql, secrets: createSecrets(masterKey) }, owner);
  await sql.end();

  const pool = new Pool(url, { connections });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const post = async (path: string, status: number, body: object): Promise<unknown> => {
    const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode !== status) throw new Error(`POST ${path} was answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  };
  const webhook = {
    url: `https://127.0.0.1:${receiverPort}/`,
    events: ['new_message'],
    secret: 'the-secret-of-the-bench',
  };
  await post('/v1/webhooks', 201, webhook);
  const channel = withId.parse(await post('/v1/channels', 201, { type: 'api', name: 'Bench' }));

  let handed = 0;
  return {
    hand: async (marker) => {
      const sender = { external_id: `sender-${(handed += 1) % senders}` };
      await post(`/v1/channels/${channel.id}/inbound`, 202, { message_id: marker, sender, text: marker });
    },
    close: () => pool.close(),
  };
};
