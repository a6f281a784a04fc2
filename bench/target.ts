import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { z } from 'zod';
import { createAccount } from '../src/shared/accounts/create-account.ts';
import { connectDatabase } from '../src/shared/platform/db/connect.ts';
import { createSecrets } from '../src/shared/platform/secrets/seal.ts';

/** The target of load: an account on a running Parley, with a channel, and webhooks at the receiver. */
export type Target = {
  accountId: string;
  /** TypeIDs; those of webhooks in the order of their paths. */
  channelId: string;
  webhookIds: readonly string[];
  /** Sends a message. Resolves when it is answered 202, else rejects. */
  hand: (marker: string) => Promise<void>;
  /** Any other call of the API. Rejects when it is answered with another status than this one. */
  call: (request: {
    method: 'GET' | 'POST' | 'DELETE';
    path: string;
    status: number;
    body?: object;
  }) => Promise<unknown>;
  /** The same account through another process. */
  through: (process: { url: string }) => Target;
  close: () => Promise<void>;
};

export type TargetOptions = {
  url: string;
  database: string;
  masterKey: Uint8Array;
  receiverPort: number;
  /** Paths of the receiver; `bench/receiver.ts` says what it does at each. */
  paths?: readonly string[];
  /** Who sends the message of this number; `senders` in turn when not given. */
  senderOf?: (handed: number) => string;
};

const withId = z.object({ id: z.string() });

/** Senders that write in turn. Their first messages make contacts of them, during the warm-up. */
export const senders = 50;

const usualSender = (handed: number): string => `sender-${handed % senders}`;

/** Connections to the API: more than it can use at once. */
export const connections = 64;

export const createTarget = async ({
  url,
  database,
  masterKey,
  receiverPort,
  paths = ['/'],
  senderOf = usualSender,
}: TargetOptions): Promise<Target> => {
  const sql = connectDatabase(database, { max: 1 });
  const owner = { name: 'Bench', email: `${randomUUID()}@example.com`, plan: 'business' } as const;
  const { accountId, apiKey } = await createAccount({ sql, secrets: createSecrets(masterKey) }, owner);
  await sql.end();

  const first = connect(url, apiKey);
  const post = async (path: string, body: object): Promise<string> =>
    withId.parse(await first.call({ method: 'POST', path, status: 201, body })).id;
  const webhookIds: string[] = [];
  for (const path of paths) {
    const webhook = { url: `https://127.0.0.1:${receiverPort}${path}`, events: ['new_message'] };
    webhookIds.push(await post('/v1/webhooks', { ...webhook, secret: 'the-secret-of-the-bench' }));
  }
  const channelId = await post('/v1/channels', { type: 'api', name: 'Bench' });

  let handed = 0;
  const over = ({ call, close }: Connection): Target => ({
    accountId,
    channelId,
    webhookIds,
    hand: async (marker) => {
      const sender = { external_id: senderOf((handed += 1)) };
      const body = { message_id: marker, sender, text: marker };
      await call({ method: 'POST', path: `/v1/channels/${channelId}/inbound`, status: 202, body });
    },
    call,
    through: (process) => over(connect(process.url, apiKey)),
    close,
  });
  return over(first);
};

type Connection = Pick<Target, 'call' | 'close'>;

const connect = (url: string, apiKey: string): Connection => {
  const pool = new Pool(url, { connections });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return {
    call: async ({ method, path, status, body }) => {
      const answer = await pool.request({
        method,
        path,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== status) throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    close: () => pool.close(),
  };
};

/** Sends each message to the next of these targets. */
export const inTurn = (targets: readonly Pick<Target, 'hand'>[]): Pick<Target, 'hand'> => {
  let handed = 0;
  return {
    hand: async (marker) => {
      const target = targets[handed % targets.length];
      handed += 1;
      await target?.hand(marker);
    },
  };
};

/** Every ninth message goes to the tenth account as well. */
export const withTenth = (nine: Pick<Target, 'hand'>, tenth: Target): Pick<Target, 'hand'> => {
  let handed = 0;
  return {
    hand: async (marker) => {
      handed += 1;
      const more = handed % 9 === 0 ? [tenth.hand(`tenth ${marker}`)] : [];
      await Promise.all([nine.hand(marker), ...more]);
    },
  };
};
