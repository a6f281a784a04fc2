import { expect, test } from 'vitest';
import { safeUrl, splitLinks } from '../../../packages/webchat/src/view/links.ts';

test.each([
  ['see https://a.example/b.', ['see ', '<https://a.example/b>', '.']],
  ['(https://a.example/b_(c))', ['(', '<https://a.example/b_(c))>']],
  ['https://a.example, http://b.example!', ['<https://a.example/>', ', ', '<http://b.example/>', '!']],
  ['javascript:alert(1) data:text/html,x', ['javascript:alert(1) data:text/html,x']],
  ['https://', ['https://']],
  ['<b>https://a.example/"onclick=x</b>', ['<b>', '<https://a.example/>', '"onclick=x</b>']],
  ['', []],
])('%s has the links that a reader sees in it', (text, expected) => {
  expect(splitLinks(text).map((part) => (part.url === undefined ? part.text : `<${part.url}>`))).toEqual(expected);
});

test('the parts of a text are the text, whatever stands in it', () => {
  for (const text of ['https://a.example).,:', 'https://'.repeat(50), 'a https://[ b', 'https://a.example/é ü']) {
    expect(
      splitLinks(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  }
});

test.each([
  ['https://a.example/x.png', 'https://a.example/x.png'],
  ['/webchat/media/1', 'https://chat.example/webchat/media/1'],
  ['http://localhost:8080/x', 'http://localhost:8080/x'],
  ['http://a.example/x', undefined],
  ['javascript:alert(1)', undefined],
  [' java\nscript:alert(1)', undefined],
  ['data:image/svg+xml,<svg onload=alert(1)>', undefined],
  ['blob:https://a.example/1', undefined],
  ['https://', undefined],
])('%s leads to %s', (address, expected) => {
  expect(safeUrl(address, 'https://chat.example/webchat/chn_1')).toBe(expected);
});
