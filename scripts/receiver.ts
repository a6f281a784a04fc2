import { once } from 'node:events';
import { createServer } from 'node:https';
import { createInterface } from 'node:readline/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createOnce } from '../packages/verify/src/index.ts';
import { keptCertificate } from '../src/shared/platform/kept-certificate.ts';
import { takeWebhook } from './receiver/take-webhook.ts';

// npm run receiver [-- --port 8443] is an endpoint on this machine for a first look at webhooks: it answers challenges, says what comes and whether
// its signature is right, and fails when it is told to. Nothing but this machine reaches it.

const { values } = parseArgs({ options: { port: { type: 'string', default: '8443' } } });
const say = (line: string): void => console.log(line);

const { certPem, keyPem, caFile } = await keptCertificate(
  join(process.env['DATA_DIR'] || 'data', 'receiver'),
  "Parley's trial receiver",
);
const secrets = new Set((process.env['SECRET'] ?? '').split(/[\s,]+/).filter(Boolean));
const onceEach = createOnce();
let refuseWith: number | undefined;

const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const taking = { name: 'your endpoint', secrets: [...secrets], once: onceEach, refuseWith, say };
  takeWebhook(request, response, taking).catch((error: unknown) => {
    say(`   the request failed here: ${String(error)}`);
    response.destroy();
  });
});
server.on('error', (error: NodeJS.ErrnoException) => {
  console.error(
    error.code === 'EADDRINUSE'
      ? `Port ${values.port} is in use. Choose another: npm run receiver -- --port 8444`
      : `The receiver stopped: ${error.message}`,
  );
  process.exit(1);
});
server.listen(Number(values.port), '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new TypeError('not a TCP server');

say(`Your endpoint  https://localhost:${address.port}/hook`);
say('To let Parley reach it, start Parley in another terminal with these two settings:');
say(`  EGRESS_ALLOW=127.0.0.1:${address.port} EGRESS_CA_FILE=${caFile} npm start`);
say('Commands to type here:');
say('  secret …   also verifies signatures with this secret; copy the Webhook Secret from Settings, API');
say('  fail       answers 503 from now on, or another status: fail 400');
say('  fine       answers 200 again');

for await (const line of createInterface({ input: process.stdin })) {
  const [word, value] = line.trim().split(/\s+/);
  if (word === 'secret' && value) {
    secrets.add(value);
    say('The receiver verifies signatures now.');
  } else if (word === 'fail' && /^([345]\d\d)?$/.test(value ?? '')) {
    refuseWith = Number(value ?? 503);
    say(`The receiver answers ${refuseWith} until you type: fine`);
  } else if (word === 'fine') {
    refuseWith = undefined;
    say('The receiver answers 200 again.');
  } else if (word) say('Unknown command. Type secret …, fail or fine.');
}
