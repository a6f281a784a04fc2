import { parseArgs } from 'node:util';
import { startInstallation } from './demo/installation.ts';
import { startReceiver } from './demo/receiver.ts';
import { tellStory } from './demo/story.ts';

// npm run demo [-- --once] shows the way of a message from a contact to two signed, verified deliveries, and a contact's way through a flow. On a terminal it then waits, so that
// the links can be opened; elsewhere, or with --once, it ends. It fails when something was not verified.

const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
const staysOpen = process.stdout.isTTY && !values.once;
const say = (line: string): void => console.log(line);

const signalled = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => signalled.resolve());

try {
  await using started = new AsyncDisposableStack();
  say('1. Start a Parley of its own, and an HTTPS receiver; nothing else on this machine may be called');
  const receiver = await startReceiver({ say });
  started.defer(() => receiver.stop());
  const parley = await startInstallation({ receiver, say });
  started.defer(() => parley.stop());
  say(`   Parley       ${parley.baseUrl}`);
  say(`   Receiver     https://127.0.0.1:${receiver.port}`);
  say(`   Temporal UI  ${parley.uiUrl}`);

  const lost = parley.lost.then((sentence) => Promise.reject(new Error(sentence)));
  const interrupted = signalled.promise.then(() => Promise.reject(new Error('interrupted')));
  await Promise.race([tellStory({ parley, receiver, say }), interrupted, lost]);
  if (staysOpen) {
    say('The links and commands work until you end this with Ctrl-C (a message needs a new message_id).');
    await Promise.race([signalled.promise, lost]);
  }
  say('Stopping …');
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
// A handle that a library has left open must not keep the process alive.
process.exit();
