import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './failure.ts';

/**
 * Reads a password from the first line of stdin. It is never an argument, which other users of the machine could see. A terminal is asked twice
 * and does not show it. Throws `UsageError` when none comes or the two differ.
 */
export const readPassword = async (): Promise<string> => {
  const { stdin, stderr } = process;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, ...(stdin.isTTY && { output: silent, terminal: true }) });
  const lines = reader[Symbol.asyncIterator]();
  const ask = async (prompt: string): Promise<string> => {
    if (stdin.isTTY) stderr.write(prompt);
    const line = await lines.next();
    if (stdin.isTTY) stderr.write('\n');
    return line.done ? '' : line.value;
  };
  try {
    const password = await ask('New password: ');
    if (password === '') throw new UsageError('No password given. Leave out --ask to generate one.');
    if (stdin.isTTY && (await ask('Again: ')) !== password) throw new UsageError('The passwords differ.');
    return password;
  } finally {
    reader.close();
  }
};
