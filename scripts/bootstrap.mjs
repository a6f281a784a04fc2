// node scripts/bootstrap.mjs [--for start|test|check]
//
// Fetches what the project needs to run: the packages, Temporal's dev server, and for tests Temporal's time-skipping server. It runs on the
// system's Node, before anything is installed. A second run finds everything and prints nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { programs } from './binaries.mjs';
import { obtainProgram } from './fetch-binaries.mjs';
import { installPackages } from './install-packages.mjs';

const projectDir = fileURLToPath(new URL('..', import.meta.url));

try {
  await bootstrap();
} catch (error) {
  console.error(`\nParley cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function bootstrap() {
  const major = Number.parseInt(process.versions.node, 10);
  if (major < 20) {
    throw new Error(`it needs Node 20 or newer to set itself up, and this is ${process.version}: https://nodejs.org`);
  }
  const { values } = parseArgs({ options: { for: { type: 'string', default: 'start' } } });
  await installPackages(projectDir);
  if (major < 24 && !existsSync(join(projectDir, 'node_modules', '.bin', 'node'))) {
    throw new Error(
      `for ${process.platform} on ${process.arch} there is no Node 24 among the packages: put Node 24 or newer on PATH ` +
        `(this is ${process.version}; https://nodejs.org, or \`brew install node\`) and start again`,
    );
  }
  if (values.for === 'check') return;
  // Tests start servers of their own, also where a running installation has others.
  if (values.for === 'test' || !process.env['TEMPORAL_ADDRESS']) await obtainProgram(programs.temporal);
  if (values.for === 'test') await obtainProgram(programs.testServer);
}
