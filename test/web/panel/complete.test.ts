import { assert, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { choose, completingAt } from '../../../src/web/pages/flows/panel/template/complete.ts';
import { piecesOf } from '../../../src/web/pages/flows/panel/template/pieces.ts';

/** What is completed where `|` stands last in a text; "‸" stands for the cursor. */
const at = (marked: string, isAsked = false) => {
  const pos = marked.indexOf('‸');
  return completingAt(marked.replace('‸', ''), pos, { isAsked });
};

test.for([
  ['nothing in plain text', 'Hello ‸', undefined],
  ['nothing after a closed placeholder', '{{a}} ‸', undefined],
  ['nothing within quotes', '{{a|default:"x‸"}}', undefined],
  ['nothing after a blank in a name', '{{first na‸', undefined],
  ['a name after two braces', 'Hi {{‸', 'name'],
  ['a name after a blank', 'Hi {{ fi‸', 'name'],
  ['a name within a name', '{{fi‸rst}} b', 'name'],
  ['a filter after a bar', '{{a|‸}}', 'filter'],
  ['a filter after another one', '{{a|default:"b|c"| up‸', 'filter'],
] as const)('a template completes %s', ([, marked, of]) => {
  expect(at(marked)?.of).toBe(of);
});

/** The text after a choice, with the cursor in it. */
const take = (marked: string, choice: string): string => {
  const completing = at(marked, true);
  if (!completing) throw new TypeError('nothing is completed');
  const text = marked.replace('‸', '');
  const { from, to, insert, caret } = choose(completing, choice);
  const after = text.slice(0, from) + insert + text.slice(to);
  return `${after.slice(0, caret)}‸${after.slice(caret)}`;
};

test.for([
  ['closes the braces', 'Hi {{fi‸', 'first_name', 'Hi {{first_name}}‸'],
  ['keeps braces that are closed', 'Hi {{fi‸}}!', 'first_name', 'Hi {{first_name‸}}!'],
  ['replaces the letters behind the cursor', '{{fi‸rst}}', 'email', '{{email‸}}'],
  ['keeps the filters that follow', '{{fi‸|upper}}', 'email', '{{email‸|upper}}'],
  ['stays open after a name that only begins', '{{pa‸', 'params.', '{{params.‸}}'],
  ['leaves the cursor in the argument of a default', '{{a|d‸', 'default', '{{a|default:"‸"}}'],
  ['writes a filter without an argument', '{{a|up‸}}', 'upper', '{{a|upper‸}}'],
  ['writes a whole placeholder where none is begun', 'Hi ‸!', 'email', 'Hi {{email}}‸!'],
] as const)('a choice of a template %s', ([, marked, choice, expected]) => {
  expect(take(marked, choice)).toBe(expected);
});

test('placeholders of a text are told apart as known, unknown and broken', () => {
  const text = 'Hi {{first_name}}, {{nope|upper}} {{"x"}} {{a b}} {{open';
  const kinds = piecesOf(text, (path) => path === 'first_name').map(
    ({ from, to, kind }) => `${kind} ${text.slice(from, to)}`,
  );
  expect(kinds).toEqual([
    'known {{first_name}}',
    'unknown {{nope|upper}}',
    'known {{"x"}}',
    'broken {{a b}}',
    'broken {{open',
  ]);
});

test('no text and no position breaks the completion or the colours of a template', () => {
  const anyText = string({ unit: 'grapheme', maxLength: 60 }).map((text) =>
    text.replaceAll(/[a-f]/g, '{').replaceAll(/[u-z]/g, '}').replaceAll(/[q-t]/g, '|').replaceAll('p', '"'),
  );
  assert(
    property(anyText, integer({ min: 0, max: 60 }), (text, place) => {
      const pos = Math.min(place, text.length);
      const completing = completingAt(text, pos, { isAsked: true });
      const { from, to } = completing ? choose(completing, 'first_name') : { from: pos, to: pos };
      expect(from <= pos && pos <= to && to <= text.length).toBe(true);
      let end = 0;
      for (const piece of piecesOf(text, () => true)) {
        expect(piece.from >= end && piece.to > piece.from && piece.to <= text.length).toBe(true);
        end = piece.to;
      }
    }),
    { numRuns: 2_000 },
  );
});
