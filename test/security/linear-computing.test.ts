import { verifyWebhook } from '../../packages/verify/src/index.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { resources } from '../../src/api/resources.ts';
import { createRedactor } from '../../src/shared/external-requests/redact.ts';
import { readAnswer } from '../../src/shared/flows/blocks/answers.ts';
import { isTypedSecret } from '../../src/shared/flows/blocks/check-request.ts';
import { isSame } from '../../src/shared/flows/blocks/compare.ts';
import { blocks } from '../../src/shared/flows/blocks/index.ts';
import { matchesKeyword, readMessage } from '../../src/shared/flows/keywords.ts';
import { renderJson } from '../../src/shared/flows/templating/render-json.ts';
import { renderUrl } from '../../src/shared/flows/templating/render-url.ts';
import { renderText } from '../../src/shared/flows/templating/render.ts';
import { parseTemplate } from '../../src/shared/flows/templating/template.ts';
import { nameInMail } from '../../src/shared/mail/name-in-mail.ts';
import { foldTag } from '../../src/shared/tags/fold.ts';
import { maskUrl, maskUrlTemplate } from '../../src/shared/platform/mask-url.ts';
import { differencesOf } from '../../src/web/pages/flows/compare/differences.ts';
import { cpuMsOf } from '../helpers/cpu-time.ts';
import { useApi } from '../helpers/api.ts';
import { aScope } from '../helpers/scope.ts';
import { reportAttack } from './report.ts';

/** Pieces of which somebody makes a text that is slow to read: repeated, they bring out what looks at a text again and again. */
const pieces = [
  'a',
  'a.',
  'a@',
  '@',
  '.',
  '-',
  ' ',
  '1',
  '{{',
  '{{a',
  '{{a}}',
  '%',
  '"\\',
  '[',
  '\u0300\u0323',
  '\uFF9E\u0334',
  'İ',
];

const long = (piece: string, characters: number): string => piece.repeat(Math.floor(characters / piece.length));

/** What a receiver does with a request that nobody has signed. */
const isVerified = (headers: Readonly<Record<string, string>>, secret: string): boolean => {
  try {
    return verifyWebhook({ headers, body: secret, secrets: secret, toleranceSeconds: 300 }) !== undefined;
  } catch {
    return false;
  }
};

/** Whatever is computed over a text on the thread that serves everybody. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'masking a url': (text) => maskUrl(`https://${text}/${text}?${text}`),
  'masking the template of a url': (text) => maskUrlTemplate(`https://${text}/${text}?${text}`),
  'looking for a typed secret': (text) => isTypedSecret('token', text),
  'reading a template': (text) => parseTemplate(text),
  'reading a template that closes': (text) => parseTemplate(`${text}}}`),
  'rendering a text': (text) => renderText(text, aScope({ x: text })),
  'rendering a value': (text) => renderText('{{x|lower|trim}}', aScope({ x: text })),
  'rendering JSON': (text) => renderJson(text, aScope({ x: text })),
  'rendering a url': (text) => renderUrl(`https://shop.example/${text}`, aScope({ x: text })),
  'rendering a host': (text) => renderUrl(`https://${text}`, aScope({ x: text })),
  'comparing with a keyword': (text) =>
    matchesKeyword(readMessage(text), { match: 'contains', words: [text.slice(0, 100), `${text.slice(0, 99)}!`] }),
  'comparing two values': (text) => isSame(text, `${text}!`, { timeZone: 'UTC', type: undefined, v: 2 }),
  'comparing tags': (text) => foldTag(text),
  'an answer in words': (text) => readAnswer('text', text, { choices: [], country: 'DE', v: 3 }),
  'an answer that is a number': (text) => readAnswer('number', text, { choices: [], country: 'DE', v: 3 }),
  'an answer that is an e-mail address': (text) => readAnswer('email', text, { choices: [], country: 'DE', v: 3 }),
  'an answer that is a phone number': (text) => readAnswer('phone', text, { choices: [], country: 'DE', v: 3 }),
  'an answer that is a date': (text) => readAnswer('date', text, { choices: [], country: 'DE', v: 3 }),
  'an answer that is a choice': (text) =>
    readAnswer('choice', text, { choices: [{ label: 'Yes', value: 'yes' }], country: 'DE', v: 3 }),
  'hiding a secret': (text) => createRedactor([text.slice(0, 1_000), `${text.slice(0, 999)}!`]).redact(text),
  'hiding secrets that are not there': (text) =>
    createRedactor(Array.from({ length: 10 }, (_, end) => `${text.slice(0, 4_000)}!${end}`)).redact(text),
  'a name in a mail': (text) => nameInMail(text),
  'comparing two versions of a flow': (text) =>
    differencesOf(
      { blocks: [{ id: 'a', text }], [text]: 1 },
      { blocks: [{ id: 'a', text: `${text}!` }, { id: text }] },
    ),
  'verifying a webhook': (text) => isVerified({ 'x-service-signature': text }, text),
  'verifying a webhook by many signatures': (text) =>
    isVerified(
      {
        'x-service-signature': 'a'.repeat(64),
        'webhook-id': text.replaceAll('.', ''),
        'webhook-timestamp': '1',
        'webhook-signature': `v1,${'A'.repeat(43)}= ${text}`,
      },
      `whsec_${text}`,
    ),
};

/** Each text is four times as long as the one before, so that what is quadratic is found before it takes minutes. */
const lengths = [4_096, 16_384, 65_536];

/** The CPU time of the best of some tries: a collection of garbage is not this work's. */
const costOf = (work: () => unknown, tries = 2): number =>
  Math.min(...Array.from({ length: tries }, () => cpuMsOf(work)));

/** The clock of CPU time counts in steps of some milliseconds. */
const leastMs = 4;

/** Whether that is so at every try, and not because the machine was busy. */
const isSuperlinear = (read: (text: string) => unknown, piece: string, length: number): boolean => {
  const [quarter = 0, whole = 0] = [length / 4, length].map((each) => costOf(() => read(long(piece, each)), 5));
  return whole > 150 || (whole > 50 && whole > 8 * Math.max(leastMs, quarter));
};

/** The texts that take much longer than in proportion to their length. */
const findSuperlinear = (read: (text: string) => unknown): string[] =>
  pieces.flatMap((piece) => {
    for (const length of lengths) {
      const ms = costOf(() => read(long(piece, length)));
      // What is quick for the longest text is so for every other one.
      if (ms > 50 && isSuperlinear(read, piece, length))
        return [`${length} characters of ${JSON.stringify(piece)}: ${Math.round(ms)} ms`];
    }
    return [];
  });

test('whatever is computed over a text takes time in proportion to its length', async () => {
  const through = Object.entries(readers).flatMap(([name, read]) =>
    findSuperlinear(read).map((how) => `${name} ${how}`),
  );
  expect(through).toEqual([]);
  await reportAttack('slowTexts', { tried: Object.keys(readers).length * pieces.length, through: through.length });
});

/** A schema and all schemas in it. */
const schemasIn = (part: unknown, seen = new Set<unknown>()): z.ZodType[] => {
  if (typeof part !== 'object' || part === null || seen.has(part)) return [];
  seen.add(part);
  const inner = part instanceof z.ZodType ? part.def : part;
  // A schema behind another gets what that one makes, and never the text itself.
  if (part instanceof z.ZodPipe) return [part];
  const within = Object.values(inner).flatMap((each: unknown) => schemasIn(each, seen));
  return part instanceof z.ZodType ? [part, ...within] : within;
};

const api = await useApi();

test('every text of every request is checked in time in proportion to its length', async () => {
  const operations = resources.flatMap((make) => make(api.deps).operations);
  const declared = operations.flatMap(({ body, query, params }) => [body, query, params]);
  const schemas = schemasIn([...declared, ...blocks.map(({ schema }) => schema)]);
  const through = schemas.flatMap((schema) => findSuperlinear((text) => schema.safeParse(text)));
  expect(schemas.length).toBeGreaterThan(300);
  expect(through).toEqual([]);
});
