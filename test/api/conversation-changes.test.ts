import { beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';

type Row = { id: string; revision: number };
type Changes = {
  conversation: Row & { status: string };
  messages: (Row & { text: string })[];
  notes: (Row & { text: string })[];
  acts: (Row & { kind: string })[];
  revision: number;
  has_more: boolean;
};

const api = await useApi();
let account: TestAccount;
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  channelId = (await as<{ id: string }>('POST', '/v1/channels', { type: 'api', name: 'Shop' })).body.id;
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

/** A contact writes; answers the conversation's id. */
const write = async (sender: string, text = 'Hi'): Promise<string> => {
  const message = anInboundMessage({ sender: { external_id: sender }, text });
  const { body } = await as<{ message: { id: string } }>('POST', `/v1/channels/${channelId}/inbound`, message);
  return (await as<{ conversation_id: string }>('GET', `/v1/messages/${body.message.id}`)).body.conversation_id;
};

const changes = async (id: string, after: number, limit = 100): Promise<Changes> =>
  (await as<Changes>('GET', `/v1/conversations/${id}/changes?after=${after}&limit=${limit}`)).body;

describe('changes of a conversation', () => {
  test('tells what came after a revision, in the order of the changes, and nothing twice', async () => {
    const sender = newUuid();
    const id = await write(sender, 'one');
    await write(sender, 'two');
    const first = await changes(id, 0);
    expect(first.messages.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(first.revision).toBe(first.conversation.revision);
    expect(first.has_more).toBe(false);
    await as('POST', `/v1/conversations/${id}/notes`, { text: 'A note' });
    await write(sender, 'three');
    const second = await changes(id, first.revision);
    expect(second.messages.map(({ text }) => text)).toEqual(['three']);
    expect(second.notes.map(({ text }) => text)).toEqual(['A note']);
    expect((await changes(id, second.revision)).messages).toEqual([]);
  });

  test('come in pages that end between two changes', async () => {
    const sender = newUuid();
    const id = await write(sender, 'one');
    for (const text of ['two', 'three']) await write(sender, text);
    await as('POST', `/v1/conversations/${id}/notes`, { text: 'A note' });
    const texts: string[] = [];
    let after = 0;
    for (let more = true; more;) {
      const page = await changes(id, after, 1);
      texts.push(...[...page.messages, ...page.notes].map(({ text }) => text));
      after = page.revision;
      more = page.has_more;
    }
    expect(texts).toEqual(['one', 'two', 'three', 'A note']);
  });

  test('of another account are not found, and a limit above 200 is refused', async () => {
    const id = await write(newUuid());
    const other = await api.createAccount();
    expect((await as('GET', `/v1/conversations/${id}/changes?after=0`, undefined, other.apiKey)).status).toBe(404);
    expect((await as('GET', `/v1/conversations/${id}/changes?after=0&limit=201`)).status).toBe(422);
  });
});
