import { createHash, randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { connectDatabase } from '../src/shared/platform/db/connect.ts';
import type { Process } from './servers.ts';
import { connections, senders, type Target } from './target.ts';

/** An account of the bare outbox, with a webhook at the receiver. It takes messages as Parley does. */
export const createBareTarget = async ({
  url,
  database,
  receiverPort,
}: Process): Promise<Pick<Target, 'hand' | 'close'>> => {
  const sql = connectDatabase(database, { max: 1 });
  const [accountId, key] = [randomUUID(), randomUUID()];
  await sql`insert into bare_keys values (${createHash('sha256').update(key).digest()}, ${accountId})`;
  await sql`
    insert into bare_webhooks
    values (${randomUUID()}, ${accountId}, ${`https://127.0.0.1:${receiverPort}/`}, 'the-secret-of-the-bench')`;
  await sql.end();
  const pool = new Pool(url, { connections });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  let handed = 0;
  return {
    hand: async (marker) => {
      const sender = { external_id: `sender-${(handed += 1) % senders}` };
      const body = JSON.stringify({ message_id: `${accountId}-${marker}`, sender, text: marker });
      const { statusCode, body: answer } = await pool.request({ method: 'POST', path: '/inbound', headers, body });
      await answer.dump();
      if (statusCode !== 202) throw new Error(`a message was answered ${statusCode}`);
    },
    close: () => pool.close(),
  };
};
