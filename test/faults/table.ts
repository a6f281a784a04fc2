import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { markdownTable, updateTable } from '../helpers/document-table.ts';
import { workflowPerDelivery } from '../../src/shared/platform/config.ts';
import { faults, type Fault } from './faults.ts';

const names = Object.keys(faults) as Fault[];

const result = z.object({
  fault: z.enum(names),
  mode: z.enum(workflowPerDelivery),
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

/** What a whole run has shown, in the order of the table. */
const due = names.flatMap((fault) => faults[fault].modes.map((mode) => ({ fault, mode })));

/** The table of the document, in the order of `faults`. */
export const showTable = (results: readonly Result[]): string => {
  const head = [
    'fault',
    'mode',
    'how it is made',
    'accepted',
    'delivered',
    'lost',
    'sent again',
    'recovered in',
    'limit',
  ];
  const rows = due.flatMap(({ fault, mode }) =>
    results.filter((result) => result.fault === fault && result.mode === mode).map(showRow),
  );
  return markdownTable(head, ['---', '---', '---', '---:', '---:', '---:', '---:', '---:', '---:'], rows);
};

const showRow = ({ fault, mode, accepted, delivered, lost, sentAgain, recoverySeconds, note }: Result): string[] => {
  const { title, how, withinSeconds } = faults[fault];
  const counts = [accepted, delivered, lost, sentAgain].map((count) => count.toLocaleString('en-US'));
  const made = note === undefined ? how : `${how}; ${note}`;
  return [title, mode, made, ...counts, `${recoverySeconds.toFixed(1)} s`, `${withinSeconds} s`];
};

/** Puts the table into docs/reliability.md; throws when a fault is missing in one of its modes, for a part of the suite is no proof. */
export const updateDocument = async (results: readonly Result[]): Promise<void> => {
  const missing = due.filter(({ fault, mode }) =>
    results.every((result) => result.fault !== fault || result.mode !== mode),
  );
  if (missing.length > 0)
    throw new Error(
      `docs/reliability.md stays as it is: nothing came of ${missing.map(({ fault, mode }) => `${fault} (${mode})`).join(', ')}`,
    );
  await updateTable('npm run test:faults', showTable(results));
};
