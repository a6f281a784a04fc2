import { expect, test } from 'vitest';
import { aDefinition } from '../helpers/definitions.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { flowCalls } from '../helpers/flows.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

test('the page of a run moves on with it', async () => {
  const account = await api.createAccount();
  const { call, createLive } = flowCalls(api, account);
  const channel = await call<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' });
  const says = (text: string) =>
    call('POST', `/channels/${channel.body.id}/inbound`, anInboundMessage({ sender: { external_id: 'ada' }, text }));
  const blocks = [
    { id: 'ask_size', type: 'ask', prompt: 'Which size?', next: { invalid: null, timeout: null, failed: null } },
    { id: 'thanks', type: 'send', messages: [{ text: 'Thank you' }], next: { failed: null } },
  ];
  await createLive({ ...aDefinition(blocks), triggers: [{ type: 'keyword', match: 'exact', words: ['shirt'] }] });
  await says('shirt');
  const runs = await call<{ data: { id: string }[] }>('GET', '/runs');
  const page = await web.open(`/runs/${runs.body.data[0]?.id}`, { session: account.session });
  const story = page.getByRole('region', { name: 'Steps and messages' });
  await story.getByText('Which size?').waitFor();
  await page.getByRole('button', { name: /ask_size.*Here now/ }).waitFor();
  await says('The large one');
  await story.getByText('The large one').waitFor();
  await story.getByText('Thank you').waitFor();
  await story.getByText('Run ended').waitFor();
  await page.getByRole('button', { name: /thanks.*Entered/ }).waitFor();
  expect(await page.getByText('Here now').count()).toBe(0);
});
