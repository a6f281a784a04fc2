import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { z } from 'zod';

const manifest = new URL('../../package.json', import.meta.url);
const document = new URL('../../docs/reliability.md', import.meta.url);

/** A table in Markdown; `align` has one of `---` and `---:` for each column. */
export const markdownTable = (
  head: readonly string[],
  align: readonly ('---' | '---:')[],
  rows: readonly (readonly string[])[],
): string => [head, align, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Puts a table between the markers of its command in docs/reliability.md, under a line that names version and machine. */
export const updateTable = async (command: string, table: string): Promise<void> => {
  const [begin, end] = [`<!-- made by ${command} -->`, `<!-- end of what ${command} made -->`];
  const text = await readFile(document, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`docs/reliability.md has no place for the table of ${command}`);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(manifest, 'utf8')));
  const machine = `Parley ${version}, measured on ${availableParallelism()} cores with Node ${process.versions.node}, everything on one machine.`;
  await writeFile(document, `${before}${begin}\n\n${machine}\n\n${table}\n\n${end}${after}`);
};
