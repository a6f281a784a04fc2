// Plain JavaScript for the system's Node: this runs before anything is installed.
import { spawn } from 'node:child_process';

/**
 * Runs a program without showing its output, and says every few seconds that it is still running. `code` is undefined when there is no such
 * program.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, say: (line: string) => void, cwd?: string }} options
 * @returns {Promise<{ code: number | null | undefined, output: string }>}
 */
export function run(command, args, { env, say, cwd }) {
  return new Promise((resolve) => {
    const startedAt = Date.now();
    const stillHere = setInterval(() => say(`  … ${Math.round((Date.now() - startedAt) / 1000)} s`), 5000);
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => finish(undefined, String(error)));
    child.once('close', (code) => finish(code, output));
    /** @param {number | null | undefined} code @param {string} text */
    function finish(code, text) {
      clearInterval(stillHere);
      resolve({ code, output: text });
    }
  });
}

/** @param {string} output */
export function lastLines(output) {
  return output.trim().split('\n').slice(-12).join('\n');
}
