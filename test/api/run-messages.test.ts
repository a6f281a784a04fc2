import { expect, test } from 'vitest';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { useFlowApi } from '../helpers/flow-api.ts';
import { routedRun } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';

type Shown = { id: string; direction: string; text: string; step: number };
type Page = { data: Shown[]; next_cursor: string | null };

const { world, api, key } = await useFlowApi();

const askAge = {
  id: 'ask_age',
  type: 'ask',
  prompt: 'How old are you?',
  expects: 'number',
  retries: 1,
  retry_text: 'A number, please',
};
const thank = { id: 'thank', type: 'send', messages: [{ text: 'Thank you' }, { text: 'Bye' }] };

/** A contact who has started a run by a word, has answered wrong once, and has told an age. */
const aConversation = async (word: string) => {
  const triggers = [{ type: 'keyword', match: 'exact', words: [word] }];
  await aFlow(world.db, world.accountId, { blocks: [askAge, thank], triggers });
  const sender = newUuid();
  await world.says(sender, 'nothing for a flow');
  const runId = routedRun((await world.says(sender, word)).routedTo);
  await world.advance(runId);
  for (const text of ['old', '42']) {
    await world.says(sender, text);
    await world.advance(runId);
  }
  await world.says(sender, 'said after its end');
  return { runId, path: `/v1/runs/${showId('run', runId)}/messages` };
};

const wholeStory = [
  [2, 'outbound', 'Bye'],
  [2, 'outbound', 'Thank you'],
  [1, 'inbound', '42'],
  [1, 'outbound', 'A number, please'],
  [1, 'inbound', 'old'],
  [1, 'outbound', 'How old are you?'],
];

test('a run lists what it sent and took as answers by step, and last the message that started it', async () => {
  const { path } = await aConversation('age');
  const { status, body } = await api.request<Page>('GET', path, { key });
  expect(status).toBe(200);
  const told = body.data.map(({ step, direction, text }) => [step, direction, text]);
  expect(told).toEqual([...wholeStory, [0, 'inbound', 'age']]);
  expect(body.data[0]).toMatchObject({ id: expect.stringMatching(/^msg_/), status: 'sent' });
});

test('the pages of messages of a run have each of them once, in order', async () => {
  const { path } = await aConversation('pages');
  const told: unknown[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await api.request<Page>('GET', `${path}?limit=2${next}`, { key });
    told.push(...body.data.map(({ step, direction, text }) => [step, direction, text]));
    cursor = body.next_cursor;
  } while (cursor !== null);
  expect(told).toEqual([...wholeStory, [0, 'inbound', 'pages']]);
  expect((await api.request('GET', `${path}?cursor=nowhere`, { key })).status).toBe(422);
});

test('the messages of a run of another account are answered 404', async () => {
  const { path } = await aConversation('others');
  const other = await api.createAccount();
  expect((await api.request('GET', path, { key: other.apiKey })).status).toBe(404);
});
