import { expect, onTestFinished, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const markup = '<img src=x onerror=alert(1)>';

const ask = {
  id: 'size',
  type: 'ask',
  prompt: `Which size? ${markup}`,
  expects: 'choice',
  choices: ['S', 'M', markup],
  save_to: 'size',
  timeout: 'PT1H',
  next: { timeout: 'sorry' },
};
const stock = (url: string) => ({
  id: 'stock',
  type: 'external_request',
  name: 'Look up stock',
  method: 'POST',
  url,
  body: '{"size": "{{size}}"}',
  mapping: [{ path: '$.items[0].left', field: 'left' }],
  next: { error: 'sorry', timeout: 'sorry' },
});
const tell = {
  id: 'tell',
  type: 'send',
  messages: [{ text: '{{left}} left in {{size}}' }],
  next: { default: 'more' },
};
const more = { id: 'more', type: 'ask', prompt: 'More?', next: { answered: null, timeout: null } };
const sorry = { id: 'sorry', type: 'send', messages: [{ text: 'Sorry' }], next: { default: null } };

const aShop = async (left = 3) => {
  const shop = await startReceiver({ respond: { type: 'respond', body: `{"items": [{"left": ${left}}]}` } });
  onTestFinished(() => shop.close());
  return shop;
};

/** A flow in the builder, with the phone. */
const openPhone = async (url: string, options: Parameters<typeof web.open>[1] = {}) => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  await calls.call('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text' });
  await calls.call('POST', '/custom-fields', { key: 'left', name: 'Left', type: 'number' });
  const { id } = await calls.create(aFlowDefinition({ blocks: [ask, stock(url), tell, more, sorry] }));
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session, ...options });
  await page.getByRole('button', { name: 'Try it' }).click();
  const phone = page.getByRole('region', { name: 'Phone', exact: true });
  const chat = phone.getByRole('region', { name: 'Conversation with the flow' });
  return { account, id, page, phone, chat, ...calls };
};

const written = (accountId: string) => api.db`
  select (select count(*) from runs where account_id = ${accountId})::int as runs,
    (select count(*) from contacts where account_id = ${accountId})::int as contacts,
    (select count(*) from messages where account_id = ${accountId})::int as messages`;

test('a conversation is played by quick reply and simulated response, and nothing is written', async () => {
  const shop = await aShop();
  const { account, page, phone, chat } = await openPhone(shop.url('/stock'));
  const before = await written(account.accountId);
  await chat.getByText(`Which size? ${markup}`).waitFor();
  await phone.getByText(/^Waits until .+ or for a reply\.$/).waitFor();
  await chat.getByRole('button', { name: 'M', exact: true }).click();
  await phone.getByText('“Look up stock” needs a response. Choose one above.').waitFor();
  await chat.getByText('size = M').waitFor();
  const request = chat.getByRole('group', { name: 'Request of “Look up stock”' });
  await request.getByRole('button', { name: 'Use success' }).click();
  await chat.getByText('1 left in M').waitFor();
  await request.getByText('Simulated success').waitFor();
  await phone.getByRole('button', { name: /^Skip to / }).click();
  await phone.getByText('The flow has ended.').waitFor();
  await phone.getByText('Steps', { exact: true }).click();
  await phone.getByRole('table', { name: 'Values now' }).getByText('left').waitFor();
  await phone.getByText('took “success”').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await written(account.accountId)).toEqual(before);
  expect(shop.requests).toEqual([]);
});

test('the phone answers, skips time, sends events and starts over by keyboard alone', async () => {
  const shop = await aShop();
  const { page, phone, chat } = await openPhone(shop.url('/stock'));
  const { keyboard } = page;
  const message = phone.getByRole('textbox', { name: 'Message' });
  await chat.getByText('Which size?').waitFor();
  await message.focus();
  await keyboard.type('M');
  await keyboard.press('Enter');
  await chat.getByRole('button', { name: 'Use success' }).focus();
  await keyboard.press('Enter');
  await chat.getByText('1 left in M').waitFor();
  await phone.getByRole('button', { name: /^Skip to / }).focus();
  await keyboard.press('Enter');
  await phone.getByText('The flow has ended.').waitFor();
  await phone.getByRole('button', { name: 'More inputs' }).focus();
  await keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: 'Add a tag' });
  await item.waitFor();
  await item.focus();
  await keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Tag' }).waitFor();
  await page.getByRole('textbox', { name: 'Tag' }).focus();
  await keyboard.type(`vip ${markup}`);
  await keyboard.press('Enter');
  await chat.getByText(`Tag “vip ${markup}” added`).waitFor();
  await phone.getByRole('button', { name: 'Start over' }).focus();
  await keyboard.press('Enter');
  await phone.getByText(/^Waits until .+ or for a reply\.$/).waitFor();
  expect(await chat.getByRole('listitem').count()).toBe(1);
});

test('two messages in a row are both played, in their order', async () => {
  const shop = await aShop();
  const { page, phone, chat } = await openPhone(shop.url('/stock'));
  await chat.getByText('Which size?').waitFor();
  await phone.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.type('XXL');
  await page.keyboard.press('Enter');
  await page.keyboard.type('S');
  await page.keyboard.press('Enter');
  await chat.getByText('size = S').waitFor();
  const said = await chat.getByRole('listitem').allInnerTexts();
  const order = ['Which size?', 'XXL', 'Which size?', 'S', 'size = S'];
  expect(said.slice(0, 5).map((text, index) => text.includes(order[index] ?? ''))).toEqual(order.map(() => true));
});

test('an edited flow plays the conversation again and says from where it differs', async () => {
  const shop = await aShop();
  const { page, phone, chat, id, account } = await openPhone(shop.url('/stock'));
  await chat.getByRole('button', { name: 'M', exact: true }).click();
  await chat.getByRole('button', { name: 'Use success' }).click();
  await chat.getByText('1 left in M').waitFor();
  const definition = aFlowDefinition({
    blocks: [ask, stock(shop.url('/stock')), { ...tell, messages: [{ text: 'Only {{left}}!' }] }, more, sorry],
  });
  await flowCalls(api, account).save(id, definition);
  await chat.getByText('Only 1!').waitFor();
  await phone.getByText('This conversation differs from “tell” on.').waitFor();
  await chat.getByText('Differs from here').waitFor();
  await flowCalls(api, account).save(id, aFlowDefinition({ blocks: [{ ...ask, next: { timeout: 'nowhere' } }, tell] }));
  await phone.getByText('The flow cannot be tried yet').waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'size' }).first().click();
  await phone.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Try it' }).click();
  await chat.getByText('Only 1!').waitFor();
  expect(shop.requests).toEqual([]);
});

test('a real request is sent once when asked, and its response is kept for the conversation', async () => {
  const shop = await aShop(7);
  const { page, phone, chat } = await openPhone(shop.url('/stock'));
  await chat.getByRole('button', { name: 'M', exact: true }).click();
  await chat.getByRole('button', { name: 'Send for real' }).click();
  await page.getByRole('button', { name: 'Send request' }).click();
  await chat.getByText('7 left in M').waitFor();
  await chat.getByText('Really sent').waitFor();
  await phone.getByRole('textbox', { name: 'Message' }).fill('yes');
  await page.keyboard.press('Enter');
  await phone.getByText('The flow has ended.').waitFor();
  await chat.getByText('7 left in M').waitFor();
  expect(shop.requests).toHaveLength(1);
});

test('a failure names its block in words and opens it, and a refused setup is said', async () => {
  const shop = await aShop();
  const { page, phone, chat } = await openPhone(shop.url('/stock'));
  const message = phone.getByRole('textbox', { name: 'Message' });
  for (const text of ['a', 'b', 'c']) {
    await message.fill(text);
    await message.press('Enter');
  }
  const failed = phone.getByRole('button', { name: 'Failed at “size”:' });
  await failed.click();
  await phone.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Try it' }).click();
  await phone.getByText('Setup', { exact: true }).click();
  await phone.getByRole('textbox', { name: 'Phone' }).fill('nobody');
  await phone.getByText('Chat', { exact: true }).click();
  await chat.getByText('Check the setup').waitFor();
  await chat.getByText('contact.phone').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('a conversation begins at the block whose menu it was opened from', async () => {
  const shop = await aShop();
  const { page, phone, chat } = await openPhone(shop.url('/stock'));
  await chat.getByRole('button', { name: /^Which size/ }).click();
  await page.getByRole('button', { name: 'More actions for this block' }).click();
  await page.getByRole('menuitem', { name: 'Try from here' }).click();
  await phone.getByText('Draft from “size”').waitFor();
  await phone.getByText('Setup', { exact: true }).click();
  await phone.getByLabel('Starts at').first().click();
  await page.getByRole('option', { name: 'more' }).click();
  await phone.getByText('Chat', { exact: true }).click();
  await chat.getByText('More?').waitFor();
  expect(await chat.getByRole('listitem').count()).toBe(1);
});

test('the phone sends an image and a location to questions that expect them, and words are no answer', async () => {
  const account = await api.createAccount();
  const photo = { id: 'photo', type: 'ask', prompt: 'A photo?', expects: 'image', retry_text: 'Only a photo' };
  const place = { id: 'place', type: 'ask', prompt: 'Where?', expects: 'location', next: { answered: 'tell' } };
  const told = { id: 'tell', type: 'send', messages: [{ text: 'At {{reply.attachment.latitude}}' }] };
  const { id } = await flowCalls(api, account).create(aFlowDefinition({ blocks: [photo, place, told] }));
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session });
  await page.getByRole('button', { name: 'Try it' }).click();
  const phone = page.getByRole('region', { name: 'Phone', exact: true });
  const attach = async (name: string) => {
    await phone.getByRole('button', { name: 'More inputs' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await phone.getByText('A photo?').first().waitFor();
  await attach('Send location');
  await phone.getByText('Only a photo').waitFor();
  await attach('Send image');
  await phone.getByText('Image: photo.jpg').waitFor();
  await phone.getByText('Where?').waitFor();
  await attach('Send location');
  await phone.getByText('At 52.52').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});
