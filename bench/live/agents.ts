import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import type { Database } from '../../src/shared/platform/db/connect.ts';
import type { Process } from '../servers.ts';
import type { Ask } from './ask.ts';
import { openStream } from './open-stream.ts';
import type { Receptions } from './receptions.ts';
import type { Shop } from './visitors.ts';

/** An agent in a browser. */
export type Agent = {
  answer: (conversationId: string, text: string) => Promise<void>;
  /** Shows these conversations, and notes the texts of their visitors as they come. Resolves with what closes the stream. */
  open: (conversationIds: readonly string[], receptions?: Pick<Receptions, 'note'>) => Promise<() => void>;
};

/** The most streams of a user are twelve. */
const sessionsEach = 10;

const changes = z.object({
  messages: z.array(z.object({ text: z.string(), direction: z.string() })),
  revision: z.number(),
});
const hint = z.object({ id: z.string().nullable() });

/** So many agents of a shop, in sessions of a few users. */
export const createAgents = async (
  { sql, ask, parley }: { sql: Database; ask: Ask; parley: Process },
  { target: { accountId } }: Shop,
  count: number,
): Promise<Agent[]> => {
  const users = await sql<{ id: string }[]>`
    insert into users (id, account_id, email, name, password_hash, role)
    select uuidv7(), account_id, i || email, 'Agent ' || i, password_hash, 'agent'
    from users, generate_series(1, ${Math.ceil(count / sessionsEach)}) i where account_id = ${accountId} returning id`;
  const agents: Agent[] = [];
  for (let index = 0; index < count; index += 1) {
    const session = await createSession(sql, users[index % users.length]?.id ?? '');
    agents.push(createAgent({ ask, parley }, { cookie: `parley_session=${session}`, origin: parley.url }));
  }
  return agents;
};

const createAgent = ({ ask, parley }: { ask: Ask; parley: Process }, headers: Record<string, string>): Agent => ({
  answer: async (conversationId, text) => {
    const body = { text, client_ref: randomUUID() };
    const path = `/dashboard/api/conversations/${conversationId}/messages`;
    await ask({ method: 'POST', path, headers, status: 201, body });
  },
  open: async (conversationIds, receptions) => {
    const shown = new Map(conversationIds.map((id) => [id, { revision: 0, reading: false, isBehind: false }]));
    const read = async (id: string): Promise<void> => {
      const has = shown.get(id);
      if (!has) return;
      has.isBehind = true;
      if (has.reading) return;
      has.reading = true;
      while (has.isBehind) {
        has.isBehind = false;
        const path = `/dashboard/api/conversations/${id}/changes?after=${has.revision}`;
        const { messages, revision } = changes.parse(await ask({ method: 'GET', path, headers, status: 200 }));
        has.revision = revision;
        for (const { text, direction } of messages) if (direction === 'inbound') receptions?.note(text);
      }
      has.reading = false;
    };
    const readAll = (): Promise<unknown> => Promise.all([...shown.keys()].map(read));
    const close = await openStream(`${parley.url}/dashboard/api/stream`, {
      headers,
      take: ({ event, data }) => {
        if (event !== 'conversation') return;
        const { id } = hint.parse(data);
        void (id === null ? readAll() : read(id));
      },
    });
    await readAll();
    return close;
  },
});
