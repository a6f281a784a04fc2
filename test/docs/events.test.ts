import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Variant } from '../../src/shared/facts/names.ts';
import { exampleEnvelope } from '../../src/shared/events/samples.ts';
import { events, type PublicFact } from '../../src/shared/facts/facts.ts';

/** Written by `npx vitest run test/docs/events.test.ts -u`, after an event was added or changed. */
const page = 'docs/events.md';

const table = (): string => {
  const rows = events.map(({ name, meaning, variants, since }) => {
    const isOf = (variant: Variant) => (variants.some((has) => has === variant) ? 'yes' : 'no');
    return `| \`${name}\` | ${meaning} | ${isOf('api')} | ${isOf('dashboard')} | since ${since} |`;
  });
  return ['', '| event | when | A | B | sent |', '| --- | --- | --- | --- | --- |', ...rows, ''].join('\n');
};

/** Lines of at most 140 characters. */
const wrap = (text: string): string => text.replaceAll(/(.{1,140})(?: |$)/g, '$1\n').trimEnd();

const titles = { api: 'Variant A:', dashboard: 'Variant B:' } as const;

const bodies = ({ name, meaning, details, variants }: PublicFact): string => {
  const about = details === undefined ? `${meaning}.` : `${meaning}. ${details}`;
  const shown = variants.map(
    (variant) =>
      `${titles[variant]}\n\n\`\`\`json\n${JSON.stringify(exampleEnvelope(variant, name), null, 2)}\n\`\`\`\n`,
  );
  return `\n## \`${name}\`\n\n${wrap(about)}\n\n${shown.join('\n')}`;
};

/** The page with this text between the two comments that name the part. */
const withPart = (text: string, part: string, made: string): string => {
  const [before, after] = [`<!-- the ${part}, from src/shared/facts/ -->\n`, `\n<!-- the end of the ${part} -->`];
  const [head = '', rest] = text.split(before);
  const [, tail] = rest?.split(after) ?? [];
  if (tail === undefined) throw new Error(`${page} has no place for the ${part}`);
  return head + before + made + after + tail;
};

test(`${page} tells each event, its variants and bodies as they are declared and sent`, async () => {
  const text = readFileSync(page, 'utf8');
  const made = withPart(withPart(text, 'table', table()), 'bodies', events.map(bodies).join(''));
  await expect(made).toMatchFileSnapshot(`../../${page}`);
});
