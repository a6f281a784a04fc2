import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../src/cli/program.ts';
import { endWithUs } from '../../src/shared/platform/embedded/server-process.ts';
import { bareEnv } from '../helpers/bare-env.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export type Env = Record<string, string>;

/** What a command line came to; `json` is the one document that was on stdout. */
export type Outcome = { code: number; stdout: string; stderr: string; json: () => unknown };

/** Runs `parley <args>` as a process of its own, with a bare environment. */
export const parley = (env: Env, ...args: string[]): Promise<Outcome> => parleyReading('', env, ...args);

/** The same, with something on its stdin. */
export const parleyReading = (input: string, env: Env, ...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { env: clean(env) }, (_error, stdout, stderr) =>
      resolve(outcome(child.exitCode ?? -1, stdout, stderr)),
    );
    child.once('exit', endWithUs(child.pid ?? 0));
    child.stdin?.end(input);
  });

/** The same in this process, where only the answer matters. */
export const parleyHere = async (env: Env, ...args: string[]): Promise<Outcome> => {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCli(args, { env, out: (text) => out.push(text), err: (text) => err.push(text) });
  return outcome(code, out.join(''), err.join(''));
};

/** Starts it and leaves it running; `ended` resolves with the exit code. */
export const spawnParley = (env: Env, ...args: string[]): { child: ChildProcess; ended: Promise<number> } => {
  const child = spawn(process.execPath, [main, ...args], { env: clean(env), stdio: 'ignore' });
  child.once('exit', endWithUs(child.pid ?? 0));
  return { child, ended: once(child, 'exit').then(([code]) => Number(code)) };
};

const clean = (env: Env) => ({ ...bareEnv(), ...env });

const outcome = (code: number, stdout: string, stderr: string): Outcome => ({
  code,
  stdout,
  stderr,
  json: () => JSON.parse(stdout),
});
