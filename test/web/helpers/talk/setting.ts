import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createAccount } from '../../../../src/shared/accounts/create-account.ts';
import { createSession } from '../../../../src/shared/accounts/sessions.ts';
import { readId } from '../../../../src/shared/ids.ts';
import { startInstallation, type Installation } from '../../../faults/installation.ts';

/** A shop with a webchat and a flow on an installation whose processes can be killed, and an agent's session. */
export type Setting = {
  installation: Installation;
  /** Where Parley says that it is: pages of the dashboard come from there. */
  baseUrl: string;
  session: string;
  /** Makes a webchat for this site; answers its id. */
  addWebchat: (origin: string) => Promise<string>;
  /** What was said over a webchat, in its order. */
  readTable: (webchatId: string) => Promise<{ text: string; direction: 'inbound' | 'outbound'; user: boolean }[]>;
  stop: () => Promise<void>;
};

/** Asks what it is about, and has an agent go on. */
const definition = {
  schema_version: 1,
  start: 'greet',
  triggers: [{ type: 'keyword', match: 'exact', words: ['hello'] }],
  blocks: [
    { id: 'greet', type: 'send', messages: [{ text: 'Welcome to Linen & Sons!' }], next: { default: 'ask' } },
    {
      id: 'ask',
      type: 'ask',
      prompt: 'What is it about?',
      expects: 'choice',
      choices: ['An order', 'A person, please'],
      next: { answered: 'say' },
    },
    { id: 'say', type: 'send', messages: [{ text: 'An agent takes over.' }], next: { default: 'hand' } },
    { id: 'hand', type: 'handover', reason: 'Asked for a person', next: {} },
  ],
};

const withId = z.object({ id: z.string() });

export const startSetting = async (): Promise<Setting> => {
  const installation = await startInstallation();
  const { db, secrets, service } = installation;
  const owner = {
    name: 'Linen & Sons',
    owner_name: 'Ada Byron',
    email: `${randomUUID()}@example.com`,
    plan: 'pro',
  } as const;
  const { userId, apiKey } = await createAccount({ sql: db, secrets }, owner);
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { id } = withId.parse(await post('/flows', { name: 'Welcome', definition }));
  await post(`/flows/${id}/publish`, {});
  return {
    installation,
    baseUrl: service.url.replace('127.0.0.1', 'localhost'),
    session: await createSession(db, userId),
    addWebchat: async (origin) => {
      const channel = { type: 'webchat', name: 'Shop', origins: [origin], greeting: 'Hi! How can we help?' };
      return withId.parse(await post('/channels', channel)).id;
    },
    readTable: async (webchatId) => db<{ text: string; direction: 'inbound' | 'outbound'; user: boolean }[]>`
      select m.text, m.direction, o.user_id is not null as "user"
      from messages m join conversations v on v.id = m.conversation_id left join outbound_messages o on o.message_id = m.id
      where v.channel_id = ${readId('channel', webchatId)} order by m.id`,
    stop: installation.stop,
  };
};
