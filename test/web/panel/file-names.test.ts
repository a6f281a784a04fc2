import { expect, test } from 'vitest';
import { listNames, lookUpName } from '../../../src/web/pages/flows/panel/template/names.ts';
import { aField, fieldMap } from '../../helpers/block-context.ts';
import { aDefinition } from '../../helpers/definitions.ts';

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
