import { writeFile } from 'node:fs/promises';
import { parseOptions } from './options.ts';
import { runPhases } from './phases.ts';
import { createReport, nothingLost } from './report.ts';
import { startServers } from './servers.ts';

// npm run bench: Parley's speed on this machine, beside two yardsticks that are measured in the same run. Ends with 1 when a
// message was lost or came twice, never for being slow: that is for a reader to judge, who knows the machine.

const say = (line: string): void => console.log(line);
const interrupted = Promise.withResolvers<never>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.reject(new Error(`stopped by ${signal}`)));
}
// A message that was refused fails the run at once, long before its answer is looked at; the servers must still be stopped.
process.on('unhandledRejection', interrupted.reject);
interrupted.promise.catch(() => {});

try {
  if (process.platform !== 'linux') throw new Error('CPU time and memory are read from /proc, which only Linux has');
  const options = parseOptions(process.argv.slice(2));
  await using started = new AsyncDisposableStack();
  say('Starting PostgreSQL, Temporal, Parley, the receiver and the yardsticks …');
  const servers = await startServers({ profileDir: options.profile });
  started.defer(() => servers.stop());
  const results = await Promise.race([runPhases(servers, options, say), interrupted.promise]);
  say(`\n${createReport(results, options)}`);
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ at: new Date(), options, ...results }, null, 2)}\n`);
  }
  if (!nothingLost(results)) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// What a library has left open must not keep a stopped process alive.
process.exit();
