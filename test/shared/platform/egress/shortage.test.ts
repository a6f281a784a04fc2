import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** A process of 100 files that opens all of them, and then calls a receiver by its address. */
const program = `
  import { openSync } from 'node:fs';
  import { createEgress } from '${fileURLToPath(new URL('../../../../src/shared/platform/egress/client.ts', import.meta.url))}';
  import { parseEgressAllow } from '${fileURLToPath(new URL('../../../../src/shared/platform/egress/addresses.ts', import.meta.url))}';
  const egress = createEgress({ allow: parseEgressAllow('127.0.0.1:9') });
  const files = [];
  try { for (;;) files.push(openSync('/dev/null')); } catch {}
  const request = { accountId: 'a', url: 'https://127.0.0.1:9/', headers: {}, body: Buffer.of(), timeoutMs: 5000, maxBodyBytes: 1 };
  const { type } = await egress.post(request);
  process.stdout.write(type);
  process.exit();
`;

test('a process that has no file left for a socket is busy: that does not count against the receiver', async () => {
  const command = 'ulimit -n 100 && exec "$0" --input-type=module --eval "$1"';
  const { stdout } = await run('sh', ['-c', command, process.execPath, program]);
  expect(stdout).toBe('busy');
});
