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
    say(`   it could not be taken: ${String(error)}`);
    response.destroy();
  });
});
server.on('error', (error: NodeJS.ErrnoException) => {
  console.error(
    error.code === 'EADDRINUSE'
      ? `Port ${values.port} is taken. Give another: npm run receiver -- --port 8444`
      : `The receiver ended: ${error.message}`,
  );
  process.exit(1);
});
server.listen(Number(values.port), '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new TypeError('not a TCP server');

say(`Your endpoint  https://localhost:${address.port}/hook`);
say('Parley calls it when it is started with these two settings, in another terminal:');
say(`  EGRESS_ALLOW=127.0.0.1:${address.port} EGRESS_CA_FILE=${caFile} npm start`);
say('Lines that it understands:');
say('  secret …   checks signatures with this secret, too; the Webhook Secret is in Settings, API');
say('  fail       answers 503 from now on, or another status: fail 400');
say('  fine       answers 200 again');

for await (const line of createInterface({ input: process.stdin })) {
  const [word, value] = line.trim().split(/\s+/);
  if (word === 'secret' && value) {
    secrets.add(value);
    say('Signatures are checked.');
  } else if (word === 'fail' && /^([345]\d\d)?$/.test(value ?? '')) {
    refuseWith = Number(value ?? 503);
    say(`It answers ${refuseWith} until you say: fine`);
  } else if (word === 'fine') {
    refuseWith = undefined;
    say('It answers 200 again.');
  } else if (word) say('Not understood. There are: secret …, fail, fine');
}
