import { expect, test } from 'vitest';
import { defaultTexts } from '../../../../../packages/webchat/src/default-texts.ts';
import { textsSchema } from '../../../../../src/shared/messages/channels/webchat/texts.ts';

const texts = Object.entries(defaultTexts);

test("the API takes every text of the widget's, in the words that the widget has for it", () => {
  expect(texts.length).toBeGreaterThan(30);
  expect(textsSchema.keyof().options).toEqual(texts.map(([name]) => name));
  expect(textsSchema.parse(Object.fromEntries(texts.filter(([, text]) => text !== '')))).toMatchObject({
    send: 'Send message',
  });
});

test('the document says of each text what stands where a channel has none', () => {
  const silent = texts.flatMap(([name, text]) => {
    const { description = '' } = textsSchema.shape[name as keyof typeof defaultTexts].meta() ?? {};
    const standing = name === 'language' ? `\`${text}\`` : text === '' ? 'Nothing' : `“${text}”`;
    return description.endsWith(` ${standing} unless given.`) ? [] : [name];
  });
  expect(silent).toEqual([]);
});
