import { expect, test } from 'vitest';
import { listNames, lookUpName } from '../../../src/web/pages/flows/panel/template/names.ts';
import { aField, fieldMap } from '../../helpers/block-context.ts';
import { aDefinition } from '../../helpers/definitions.ts';
import { aPicture } from '../../helpers/files.ts';
import { flowCalls } from '../../helpers/flows.ts';
import { openBlock, tabTo } from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

const fields = fieldMap(aField('photo', 'text'), aField('size', 'number'));
const definition = aDefinition([
  { id: 'one', type: 'ask', expects: 'image', prompt: 'A photo?', save_to: 'photo' },
  { id: 'two', type: 'ask', expects: 'number', prompt: 'Which size?', save_to: 'size' },
  { id: 'three', type: 'send', messages: [{ text: 'Thanks' }] },
]);

test('link, name, type and size of a photo that a block asks for are proposed', () => {
  const parts = ['url', 'name', 'type', 'content_type', 'size'];
  const proposed = listNames(definition, fields);
  expect(proposed.filter((name) => name.startsWith('photo.'))).toEqual(parts.map((part) => `photo.${part}`));
  expect(proposed.filter((name) => name.startsWith('size.'))).toEqual([]);
  expect(proposed).toEqual(expect.arrayContaining(['reply.attachment.url', 'reply.attachment.size']));
});

test('a link to a photo is surely set behind the block that asks for it, and not before', () => {
  const at = (name: string, index: number) => lookUpName(name, { definition, fields, index });
  expect(at('photo.url', 1)).toEqual({ name: 'photo.url', type: 'text', set: 'surely' });
  expect(at('photo.size', 1)).toEqual({ name: 'photo.size', type: 'number', set: 'surely' });
  expect(at('photo.url', 0)).toMatchObject({ set: 'contact' });
  expect(at('reply.attachment.url', 1)).toMatchObject({ set: 'surely' });
});

test('parts of a photo show what the chosen contact has sent', async () => {
  const { api, web } = both;
  const account = await api.createAccount();
  const { call, create } = flowCalls(api, account);
  const body = await aPicture();
  const headers = { 'content-type': 'application/octet-stream' };
  const uploaded = await api.request<{ id: string; url: string }>('POST', '/v1/media?name=crack.png', {
    key: account.apiKey,
    headers,
    body,
  });
  for (const key of ['photo', 'size']) await call('POST', '/custom-fields', { key, name: key, type: 'text' });
  await call('POST', '/contacts', { first_name: 'Ada', custom_fields: { photo: uploaded.body.id } });
  const { id } = await create(definition);
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session });
  await openBlock(page, 'three');
  await tabTo(page, 'Contact');
  await page.getByRole('option', { name: /^Ada/ }).waitFor();
  // What is proposed is listed once, when the list opens.
  const read = page.waitForResponse((response) => response.url().endsWith(`/media/${uploaded.body.id}`));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await (await read).finished();
  await tabTo(page, 'Text');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' {{photo.');
  const options = page.getByRole('option', { name: /^photo\./ });
  await options.last().waitFor();
  const set = 'set by earlier blocks';
  expect(await options.allTextContents()).toEqual([
    `photo.urltext · ${set} · “${uploaded.body.url.slice(0, 60)}…”`,
    `photo.nametext · ${set} · “crack.png”`,
    `photo.typetext · ${set} · “image”`,
    `photo.content_typetext · ${set} · “image/png”`,
    `photo.sizenumber · ${set} · “${body.length}”`,
  ]);
});
