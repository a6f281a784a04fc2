import { execFile } from 'node:child_process';

type Options = { cwd?: string; env?: Record<string, string> };

/** Runs a command to its end. What it printed, with standard error; it throws where the command failed. */
export const runCommand = (command: string, args: readonly string[], { cwd, env }: Options = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 2 ** 20 };
    execFile(command, args, options, (error, stdout, stderr) => {
      const printed = stdout + stderr;
      if (error) reject(new Error(`${command} ${args.join(' ')}\n${printed}`, { cause: error }));
      else resolve(printed);
    });
  });
