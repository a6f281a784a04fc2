import { readFile } from 'node:fs/promises';
import { markdownTable, updateTable } from '../helpers/document-table.ts';
import { adversaries } from './adversaries/index.ts';
import { before } from './before.ts';
import { measures } from './neighbour.ts';
import { aboveBar, resultSchema, type Result } from './result.ts';

/** Of each adversary the last round, or one that was within the bar. */
export const readResults = async (file: string): Promise<Map<string, Result>> => {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  const rounds = lines.map((line) => resultSchema.parse(JSON.parse(line)));
  return new Map(
    rounds.toSorted((one, other) => aboveBar(other).length - aboveBar(one).length).map((round) => [round.title, round]),
  );
};

const ms = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

export const showTable = (results: ReadonlyMap<string, Result>): string => {
  const rows = adversaries.flatMap(({ title, how }) => {
    const waited = results.get(title)?.waited;
    if (!waited) return [];
    const cells = measures.flatMap((measure) => {
      const [median, worst] = before[title]?.[measure] ?? [];
      const { alone, ...now } = waited[measure];
      return [
        ms(alone),
        median === undefined || worst === undefined ? '' : `${ms(median)} / ${ms(worst)}`,
        `${ms(now.median)} / ${ms(now.worst)}`,
      ];
    });
    return [[title, how, ...cells]];
  });
  const head = measures.flatMap((measure) => [`${measure} alone`, 'before', 'now']);
  return markdownTable(
    ['adversary', 'how it is made', ...head],
    ['---', '---', ...head.map(() => '---:' as const)],
    rows,
  );
};

/** Puts the table into docs/reliability.md. Throws where an adversary is missing. */
export const updateDocument = async (results: ReadonlyMap<string, Result>): Promise<void> => {
  const missing = adversaries.filter(({ title }) => !results.has(title));
  if (missing.length > 0) throw new Error(`docs/reliability.md stays as it is: nothing came of ${missing[0]?.title}`);
  await updateTable('npm run test:neighbours', showTable(results));
};
