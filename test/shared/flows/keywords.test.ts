import { describe, expect, test } from 'vitest';
import { matchesKeyword, readMessage, type Keyword } from '../../../src/shared/flows/keywords.ts';

describe('keywords', () => {
  test.for<[Keyword['match'], string, string, boolean]>([
    ['exact', 'shirt', ' SHIRT ', true],
    ['exact', 'shirt', 'shirts', false],
    ['exact', 'Straße', 'STRASSE', true],
    ['exact', 'ｓｔｏｐ', 'stop', true],
    ['prefix', 'order', 'Order 7', true],
    ['prefix', 'order', 'orders 7', false],
    ['prefix', 'order', 'my order', false],
    ['contains', 'hi', 'oh, hi!', true],
    ['contains', 'hi', 'this', false],
    ['contains', 'hi', 'this and hi', true],
    ['contains', 'new shirt', 'a new shirt please', true],
    ['contains', '注文', '今日注文したい', true],
    ['contains', 'c++', 'I like C++', true],
    ['contains', '(', 'a (b', true],
  ])('%s %s in %j: %j', ([match, word, message, expected]) => {
    const words = ['nothing', word];
    expect(matchesKeyword(readMessage(message), { match, words })).toBe(expected);
  });
});
