import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { markdownTable, updateTable } from '../helpers/document-table.ts';
import { attacks } from './attacks.ts';

type Described = { title: string; how: string; expected: string };

const described: Readonly<Record<string, Described>> = attacks;
const names = Object.keys(described);

const result = z.object({ attack: z.string(), tried: z.number(), through: z.number(), note: z.string().optional() });

/** What came of one attack, as a test reported it. */
export type Result = z.infer<typeof result>;

export const readResults = async (file: string): Promise<Result[]> => {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => result.parse(JSON.parse(line)));
};

/** Puts the table into docs/reliability.md, in the order of `attacks`; throws when one is missing, for a part is no proof. */
export const updateDocument = async (results: readonly Result[]): Promise<void> => {
  const missing = names.filter((name) => results.every(({ attack }) => attack !== name));
  if (missing.length > 0) throw new Error(`docs/reliability.md stays as it is: nothing came of ${missing.join(', ')}`);
  const rows = names.flatMap((name) => results.filter(({ attack }) => attack === name).map(showRow));
  const head = ['attack', 'how it is made', 'repelled means', 'tried', 'got through'];
  await updateTable('npm run test:security', markdownTable(head, ['---', '---', '---', '---:', '---:'], rows));
};

const showRow = ({ attack, tried, through, note }: Result): string[] => {
  const { title = attack, how = '', expected = '' } = described[attack] ?? {};
  const repelled = note === undefined ? expected : `${expected}; ${note}`;
  return [title, how, repelled, tried.toLocaleString('en-US'), through.toLocaleString('en-US')];
};
