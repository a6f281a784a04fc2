import { describe, expect, test } from 'vitest';
import { readConsent } from '../../../src/shared/contacts/consent.ts';
import { readAnswer, type Choice, type Expectation } from '../../../src/shared/flows/blocks/answers.ts';
import { asksForPerson } from '../../../src/shared/flows/handover-words.ts';
import { matchesKeyword, readMessage, type Keyword } from '../../../src/shared/flows/keywords.ts';
import { foldStably, foldTyped, readTyped, withoutPunctuation } from '../../../src/shared/typed/text.ts';
import { cpuMsOf } from '../../helpers/cpu-time.ts';

const hasKeyword = (match: Keyword['match'], word: string, text: string): boolean =>
  matchesKeyword(readMessage(text), { match, words: [word] });

const answerOf = (expects: Expectation, text: string, choices: readonly Choice[] = []) =>
  readAnswer(expects, text, { choices, country: 'DE', v: 3 });

const sizes = ['Menu', 'i-pad mini', '10'].map((label) => ({ label, value: `the ${label}` }));

/** Where a contact types a word, and whether "menu" was understood there. */
const placesOfWords: Record<string, (text: string, word: string) => boolean> = {
  choice: (text, word) => answerOf('choice', text, [{ label: word, value: 'taken' }]) === 'taken',
  'value of a choice': (text, word) => answerOf('choice', text, [{ label: 'other', value: word }]) === word,
  'exact keyword': (text, word) => hasKeyword('exact', word, text),
  'prefix keyword': (text, word) => hasKeyword('prefix', word, text),
  'contained keyword': (text, word) => hasKeyword('contains', word, text),
  'handover word': (text, word) => asksForPerson([word], text),
};

/** How a word is typed: what it is called, the word, and the text. */
const spellings: readonly [string, string, string][] = [
  ['as it is', 'menu', 'menu'],
  ['a capital', 'menu', 'Menu'],
  ['a full stop', 'menu', 'Menu.'],
  ['an exclamation', 'menu', 'MENU!!'],
  ['an ellipsis', 'menu', 'menu…'],
  ['quotation marks', 'menu', '“Menu”'],
  ['an opening mark', 'menu', '¡Menu!'],
  ['a full-width stop', 'menu', 'menu。'],
  ['an Arabic question mark', 'قائمة', 'قائمة؟'],
  ['blanks around it', 'menu', ' \u00A0menu\n'],
  ['two blanks', 'new shirt', 'new  shirt'],
  ['a line break', 'new shirt', 'new\nshirt'],
  ['a zero-width blank', 'menu', 'me\u200Bnu'],
  ['a joiner', 'menu', '\uFEFFmenu\u200D'],
  ['direction marks', 'menu', '\u202Amenu\u202C\u200F'],
  ['a soft hyphen', 'menu', 'me\u00ADnu'],
  ['full-width letters', 'menu', 'ｍｅｎｕ'],
  ['a decomposed accent', 'menü', 'menu\u0308'],
  ['a non-breaking hyphen', 'e-mail', 'e\u2011mail'],
  ['an en dash', 'e-mail', 'e–mail'],
  ['a minus sign', 'e-mail', 'e\u2212mail'],
  ['a curly apostrophe', "don't", 'don’t'],
  ['a double prime', '55″', '55″'],
  ['two apostrophes for a double prime', '55″', "55''"],
  ['a letter that NFKC makes an apostrophe of', 'ŉ', 'ʼn'],
  ['a capital sharp s', 'ẞ', 'ss'],
  ['a Turkish capital', 'iptal', 'İPTAL'],
  ['a dotless i', 'iptal', 'ıptal'],
  ['the last sigma', 'οδοσ', 'ΟΔΟΣ'],
  ['a sharp s', 'straße', 'STRASSE'],
  ['a heart with a variation selector', '❤ it', '❤️ it'],
  ['a thumb of another skin', '👍', '👍🏽'],
  ['Arabic digits', 'room 12', 'room ١٢'],
  ['Devanagari digits', 'room 12', 'room १२'],
  ['a keycap', 'room 2', 'room 2️⃣'],
  ['Devanagari', 'नमस्ते', 'नमस्ते!'],
];

describe.for(Object.entries(placesOfWords))('a %s', ([, isUnderstood]) => {
  test.for(spellings)('is understood with %s', ([, word, text]) => {
    expect(isUnderstood(text, word)).toBe(true);
  });
});

describe('a word that ends a subscription', () => {
  test.for([
    'stop',
    'STOP',
    'Stop.',
    'Stop!',
    ' ｓｔｏｐ ',
    '"Stop"',
    's\u200Btop',
    '\u202Astop\u202C',
    'Stop。',
    'STOP\n',
  ])('is understood as %j', (text) => expect(readConsent(text)).toBe('stop'));

  test.for(['stop it', 'stopp', 'non-stop', '', '.', `stop${' '.repeat(100)}`])('is not understood as %j', (text) =>
    expect(readConsent(text)).toBeUndefined(),
  );
});

describe('an answer', () => {
  test.for<[Expectation, string, string | number | undefined]>([
    ['choice', '2', 'the i-pad mini'],
    ['choice', '2.', 'the i-pad mini'],
    ['choice', '2)', 'the i-pad mini'],
    ['choice', '(2)', 'the i-pad mini'],
    ['choice', '2️⃣', 'the i-pad mini'],
    ['choice', '②', 'the i-pad mini'],
    ['choice', '２', 'the i-pad mini'],
    ['choice', '٢', 'the i-pad mini'],
    ['choice', 'İ‑PAD  MİNİ', 'the i-pad mini'],
    ['choice', '10', 'the 10'],
    ['choice', '4', undefined],
    ['choice', '-2', undefined],
    ['number', '7', 7],
    ['number', '7.', 7],
    ['number', '7.5', 7.5],
    ['number', '٧٫٥', 7.5],
    ['number', '७', 7],
    ['number', '−7', -7],
    ['number', '–7', -7],
    ['number', '\u200E7\u200F', 7],
    ['number', '7 8', undefined],
    ['number', '.7', undefined],
    ['number', '7,5', undefined],
    ['date', '2026–03–29', '2026-03-29'],
    ['date', '٢٠٢٦-٠٣-٢٩', '2026-03-29'],
    ['date', '29.3.2026.', '2026-03-29'],
    ['date', '29.  3. 2026', '2026-03-29'],
    ['email', 'Ada@example.com.', 'Ada@example.com'],
    ['email', '<ada@example.com>', undefined],
    ['email', '\u200Bada@example.com\u200B', 'ada@example.com'],
    ['email', 'ada＠example.com', 'ada@example.com'],
    ['text', '\u200B \u2060', undefined],
    ['text', ' Menu. ', 'Menu.'],
    ['any', ' Menu. ', ' Menu. '],
  ])('of type %s reads %j as %j', ([expects, text, value]) => {
    expect(answerOf(expects, text, sizes)).toBe(value);
  });

  test('is the choice whose label is the same, before one that differs in its punctuation', () => {
    const choices = ['Yes?', 'Yes!', 'Yes'].map((label) => ({ label, value: label }));
    expect(['yes', 'yes!', 'YES?', 'yes.'].map((text) => answerOf('choice', text, choices))).toEqual([
      'Yes',
      'Yes!',
      'Yes?',
      'Yes?',
    ]);
    expect(
      answerOf('choice', 'c#', [
        { label: 'C', value: 'c' },
        { label: 'C#', value: 'c sharp' },
      ]),
    ).toBe('c sharp');
    expect(
      answerOf('choice', '?', [
        { label: '!', value: 'no' },
        { label: '?', value: 'help' },
      ]),
    ).toBe('help');
  });
});

describe('a keyword', () => {
  test.for<[Keyword['match'], string, string, boolean]>([
    ['contains', 'नमस्', 'नमस्ते जी', false],
    ['contains', 'नमस्ते', 'अरे नमस्ते जी', true],
    ['prefix', 'नमस्', 'नमस्ते', false],
    ['contains', 'ช่วย', 'ฉันต้องการให้ช่วยหน่อย', true],
    ['contains', 'เมนู', 'ฉันต้องการเมนูครับ', true],
    ['contains', 'กา', 'ฉันต้องการเมนูครับ', false],
    ['prefix', 'เมนู', 'เมนูครับ', true],
    ['contains', 'ជំនួយ', 'ខ្ញុំត្រូវការជំនួយ', true],
    ['contains', 'ត្រូវ', 'ខ្ញុំត្រូវការជំនួយ', false],
    ['contains', 'ຊ່ວຍ', 'ຂ້ອຍຕ້ອງການຊ່ວຍ', true],
    ['contains', 'ต้อง', 'ฉันต้องการ', false],
    ['contains', 'menu', 'ขอmenuครับ', true],
    ['contains', '注文', '今日注文したい', true],
    ['contains', 'aide', "besoin d'aide", true],
    ['contains', 'menu', 'hello.menu,please', true],
    ['contains', 'hi', '𝒳 this', false],
    ['contains', 'cafe', 'café', false],
    ['contains', 'x', 'x\u0323y', false],
    ['contains', '\u200B', 'anything', false],
    ['prefix', 'menu', '¿menu, por favor?', true],
    ['exact', '?', '?', true],
    ['exact', '?', '!', false],
  ])('%s %s in %j: %j', ([match, word, text, expected]) => {
    expect(hasKeyword(match, word, text)).toBe(expected);
  });

  test('that a version of Parley before has stored is understood as it would be stored now', () => {
    expect(hasKeyword('exact', 'don’t', "Don't")).toBe(true);
    expect(asksForPerson(['e‑mail'], 'E-Mail')).toBe(true);
  });
});

describe('what people type', () => {
  test('is the same when it is read again, whatever the character', () => {
    const characters = Array.from({ length: 0x1_00_00 }, (_, code) => `a${String.fromCharCode(code)}b`);
    const texts = [...spellings.flatMap(([, word, text]) => [word, text]), ...characters];
    expect(texts.filter((text) => foldStably(foldStably(text)) !== foldStably(text))).toEqual([]);
    expect(texts.filter((text) => foldStably(readTyped(text)) !== foldStably(text))).toEqual([]);
  });

  test('tells flags of regions and of countries apart', () => {
    const flags = ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴', '🇩🇪', '🇫🇷'];
    expect(new Set(flags.map(foldTyped)).size).toBe(flags.length);
  });

  const hostile = {
    blanks: ' ',
    'zero-width blanks': '\u200B',
    dots: '.',
    'dots before a letter': '.',
    letters: 'a',
    'Turkish capitals': 'İ',
    'letters that grow': '\uFDFA',
    marks: '\u0301',
    'marks in two places': '\u0301\u0323',
    'marks apart': '\u0301\u200D\u0323',
    'Thai letters': 'ก',
    'Arabic digits': '١',
    brackets: '(',
  };

  test.for(Object.entries(hostile))('takes time in proportion to its length: %s', ([, unit]) => {
    const words = Array.from({ length: 100 }, (_, n) => unit.repeat(n + 1).slice(0, 100));
    const read = (text: string) => {
      matchesKeyword(readMessage(text), { match: 'contains', words: words.map((word) => `${word}q`) });
      matchesKeyword(readMessage(`${text}z`), { match: 'contains', words });
      withoutPunctuation(`${foldTyped(text)}a`);
      for (const expects of ['number', 'email', 'date', 'choice'] as const) answerOf(expects, `${text}a`, sizes);
    };
    read(unit.repeat(100));
    expect(cpuMsOf(() => read(unit.repeat(10_000)))).toBeLessThan(1_500);
  });
});
