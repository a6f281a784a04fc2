import { runCli } from './program.ts';
import { codeOf } from '../shared/platform/error-code.ts';

// A lost connection fails the query that waits for it, which is reported. postgres.js also rejects a look-up that nothing waits for.
process.on('unhandledRejection', (error) => {
  const code = codeOf(error);
  if (code !== 'ECONNRESET' && code !== 'EPIPE' && code !== 'CONNECTION_CLOSED' && code !== '57P01') throw error;
});

// npm run -s parley -- <command> [--json]
process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
