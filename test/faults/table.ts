import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { faults, type Fault } from './faults.ts';

const names = Object.keys(faults) as Fault[];

const result = z.object({
  fault: z.enum(names),
  accepted: z.number(),
  delivered: z.number(),
  lost: z.number(),
  sentAgain: z.number(),
  recoverySeconds: z.number(),
  note: z.string().optional(),
});

/** What came of one fault: counts of deliveries; `recoverySeconds` from the fault's end until the last one arrived. */
export type Result = z.infer<typeof result>;

export const readResults = async (file: string): Promise<Result[]> => {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => result.parse(JSON.parse(line)));
};

/** The table of the document, in the order of `faults`. */
export const showTable = (results: readonly Result[]): string => {
  const head = ['fault', 'how it is made', 'accepted', 'delivered', 'lost', 'sent again', 'recovered in', 'limit'];
  const rows = names.flatMap((name) => results.filter(({ fault }) => fault === name).map(showRow));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |', ...rows.map(line)].join('\n');
};

const showRow = ({ fault, accepted, delivered, lost, sentAgain, recoverySeconds, note }: Result): string[] => {
  const { title, how, withinSeconds } = faults[fault];
  const counts = [accepted, delivered, lost, sentAgain].map((count) => count.toLocaleString('en-US'));
  const made = note === undefined ? how : `${how}; ${note}`;
  return [title, made, ...counts, `${recoverySeconds.toFixed(1)} s`, `${withinSeconds} s`];
};

const manifest = new URL('../../package.json', import.meta.url);
const document = new URL('../../docs/reliability.md', import.meta.url);
const [begin, end] = ['<!-- made by npm run test:faults -->', '<!-- end of what it made -->'];

/** Puts the table between the document's markers; throws when a fault is missing, for a part of the suite is no proof. */
export const updateDocument = async (results: readonly Result[]): Promise<void> => {
  const missing = names.filter((name) => results.every(({ fault }) => fault !== name));
  if (missing.length > 0) throw new Error(`docs/reliability.md stays as it is: nothing came of ${missing.join(', ')}`);
  const text = await readFile(document, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error('docs/reliability.md has no place for the table');
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(manifest, 'utf8')));
  const machine = `Parley ${version}, measured on ${availableParallelism()} cores with Node ${process.versions.node}, everything on one machine.`;
  await writeFile(document, `${before}${begin}\n\n${machine}\n\n${showTable(results)}\n\n${end}${after}`);
};
