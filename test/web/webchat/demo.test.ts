import { expect, test } from 'vitest';
import { aWebchat } from '../../helpers/webchat/visitor.ts';
import { findBarriers } from '../helpers/axe.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const file = {
  parley_flow: 1,
  name: 'Sizes',
  definition: {
    schema_version: 1,
    start: 'ask',
    triggers: [{ type: 'keyword', match: 'exact', words: ['shoes'] }],
    blocks: [
      {
        id: 'ask',
        type: 'ask',
        prompt: 'Which size?',
        expects: 'choice',
        choices: ['41', '42'],
        next: { answered: 'reply' },
      },
      { id: 'reply', type: 'send', messages: [{ text: 'We have one left.' }] },
    ],
  },
  needs: { fields: [], tags: [], credentials: [], flows: [] },
  left_out: [],
};

test('on the demo page a visitor talks to a flow, and then to an agent, over a reload and without a breach', async () => {
  const account = await api.createAccount();
  const key = account.apiKey;
  const imported = await api.request<{ flow: { id: string } }>('POST', '/v1/flows/import', { key, body: file });
  const published = await api.request('POST', `/v1/flows/${imported.body.flow.id}/publish`, { key });
  expect(published.status).toBe(200);
  const channel = await aWebchat(api, account, { origins: [], greeting: 'Write “shoes” to us.' });

  const page = await web.open(`/webchat/${channel.id}/demo`);
  await page.getByText('Demo page of the webchat “Shop”.').waitFor();
  await page.getByRole('button', { name: 'Open chat' }).click();
  await page.getByText('Write “shoes” to us.').waitFor();
  const field = page.getByRole('textbox');
  await field.fill('shoes');
  await field.press('Enter');
  const reply = page.getByRole('button', { name: '42', exact: true });
  await reply.waitFor();
  const chosen = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/messages'));
  await reply.click();
  const choice = { message_id: expect.stringMatching(/^msg_/), index: 1 };
  expect((await chosen).postDataJSON()).toMatchObject({ text: '42', choice });
  await page.getByText('We have one left.').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.reload();
  await page.getByText('We have one left.').waitFor();
  const { body } = await api.request<{ data: { id: string }[] }>('GET', '/v1/contacts', { key });
  expect(body.data).toHaveLength(1);
  await api.request('POST', `/v1/contacts/${body.data[0]?.id}/messages`, {
    key,
    body: { text: 'Shall I keep it for you?' },
  });
  await page.getByText('Shall I keep it for you?').waitFor();
  const said = await api.request<{ data: { text: string }[] }>('GET', `/v1/contacts/${body.data[0]?.id}/messages`, {
    key,
  });
  expect(said.body.data.map(({ text }) => text).toReversed()).toEqual([
    'shoes',
    'Which size?',
    '42',
    'We have one left.',
    'Shall I keep it for you?',
  ]);
  expect(web.complaints()).toEqual([]);
});
