import { expect, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const markup = '<img src=x onerror=alert(1)>';

const ask = { id: 'size', type: 'ask', prompt: 'Which size?', save_to: 'size', next: { timeout: null } };
const say = (text: string) => ({ id: 'say', type: 'send', messages: [{ text }] });

/** A flow whose phone is open. */
const openPhone = async () => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  await calls.call('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text' });
  const { id } = await calls.create(aFlowDefinition({ blocks: [ask, say('Yours: {{size}}')] }));
  const page = await web.open(`/flows/${id}?tab=builder&phone=chat`, { session: account.session });
  const phone = page.getByRole('region', { name: 'Phone', exact: true });
  const chat = phone.getByRole('region', { name: 'Conversation with the flow' });
  const part = phone.getByRole('region', { name: 'Scenarios' });
  const write = async (text: string) => {
    await chat.getByText('Which size?').waitFor();
    await phone.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
    await chat.getByText(`Yours: ${text}`).waitFor();
  };
  const show = (name: string) => phone.getByText(name, { exact: true }).first().click();
  const saveAs = async (name: string) => {
    await show('Scenarios');
    await part.getByRole('button', { name: 'Save scenario' }).click();
    await part.getByRole('textbox', { name: 'Name' }).fill(name);
    await part.getByRole('button', { name: 'Save scenario' }).click();
    await part.getByRole('listitem', { name }).waitFor();
  };
  const stored = async () =>
    (await calls.call<{ data: { name: string; expected: object }[] }>('GET', `/flows/${id}/scenarios`)).body.data;
  return { account, id, page, phone, chat, part, write, show, saveAs, stored, ...calls };
};

test('a scenario is saved, fails after an edit with its difference, and a publish leads to it', async () => {
  const { id, page, part, write, saveAs, save, stored } = await openPhone();
  await write(markup);
  await saveAs(`In ${markup}`);
  expect(await stored()).toMatchObject([
    { expected: { status: 'completed', messages: ['Which size?', `Yours: ${markup}`], fields: { size: markup } } },
  ]);
  await part.getByRole('button', { name: 'Run all' }).click();
  await part.getByText('1 of 1 passed').waitFor();
  await save(id, aFlowDefinition({ blocks: [ask, say('Now: {{size}}')] }));
  await part.getByText('Not run').waitFor();
  await part.getByRole('button', { name: `Run “In ${markup}”` }).click();
  await part.getByText('0 of 1 passed').waitFor();
  const differences = part.getByRole('table', { name: `Differences of “In ${markup}”` });
  await differences.getByRole('row', { name: `Message 2 Yours: ${markup} Now: ${markup}` }).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Close phone' }).click();
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published, with warnings').waitFor();
  await page.getByRole('link', { name: 'Try this version' }).click();
  await page.getByRole('region', { name: 'Phone', exact: true }).getByText('Version 1', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Open scenarios' }).click();
  await part.getByRole('listitem', { name: `In ${markup}` }).waitFor();
});

test('a scenario is renamed, opened in the chat, replaced and deleted', async () => {
  const { page, phone, chat, part, write, saveAs, show, stored } = await openPhone();
  await write('M');
  await saveAs('Medium');
  await part.getByRole('button', { name: 'More actions for “Medium”' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Size M');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await part.getByRole('listitem', { name: 'Size M' }).waitFor();
  await show('Chat');
  await phone.getByRole('button', { name: 'Start over' }).click();
  await chat.getByText('Yours: M').waitFor({ state: 'detached' });
  await show('Scenarios');
  await part.getByRole('button', { name: 'Open in chat: “Size M”' }).click();
  await chat.getByText('Yours: M').waitFor();
  await show('Scenarios');
  await part.getByRole('button', { name: 'Save scenario' }).click();
  await part.getByRole('checkbox', { name: /message/ }).click();
  await part.getByText('Replaces “Size M”.').waitFor();
  await part.getByRole('button', { name: 'Save scenario' }).click();
  await part.getByRole('button', { name: 'Save scenario' }).waitFor();
  await expect.poll(stored).toMatchObject([{ name: 'Size M', expected: { status: 'completed' } }]);
  await expect.poll(async () => (await stored())[0]?.expected).not.toHaveProperty('messages');
  await part.getByRole('button', { name: 'More actions for “Size M”' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await part.getByText('No scenarios yet.').waitFor();
  expect(await stored()).toEqual([]);
});

test('a scenario is saved with the photo that the contact sends and the flow sends back', async () => {
  const { id, page, phone, chat, part, saveAs, save, stored } = await openPhone();
  const photo = { ...ask, expects: 'image', prompt: 'A photo?' };
  const back = { id: 'say', type: 'send', messages: [{ text: 'Yours', image_url: '{{size.url}}' }] };
  await save(id, aFlowDefinition({ blocks: [photo, back] }));
  await chat.getByText('A photo?').waitFor();
  await phone.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Image' }).click();
  await expect.poll(() => chat.getByText('Image: photo.jpg').count()).toBe(2);
  await saveAs('Photo');
  const attachments = [{ type: 'image', name: 'photo.jpg' }];
  expect(await stored()).toMatchObject([
    { simulation: { inputs: [{ attachments }] }, expected: { messages: ['A photo?', { text: 'Yours', attachments }] } },
  ]);
  await part.getByRole('button', { name: 'Run all' }).click();
  await part.getByText('1 of 1 passed').waitFor();
  await save(id, aFlowDefinition({ blocks: [photo, say('Yours')] }));
  await part.getByText('Not run').waitFor();
  await part.getByRole('button', { name: 'Run “Photo”' }).click();
  await part.getByRole('row', { name: 'Message 2, files Image: photo.jpg No files', exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});
