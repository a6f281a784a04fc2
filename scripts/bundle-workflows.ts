import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../', import.meta.url));
const target = join(project, 'dist', 'workflows.js');

/** All sources of the bundle: the workflows, the pure modules of shared, and the SDK's version. */
const sources = async (): Promise<string> => {
  const hash = createHash('sha256');
  const files = await readdir(join(project, 'src'), { recursive: true });
  const relevant = files.filter((file) => /^(workflows|shared)\b.*\.ts$/.test(file)).map((file) => join('src', file));
  for (const file of [...relevant.sort(), 'package-lock.json']) {
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(project, file)));
  }
  return hash.digest('hex');
};

const stampOf = (code: string): string | undefined => /^\/\/ sources ([0-9a-f]{64})\n/.exec(code)?.[1];

/** Bundles the workflows into dist/workflows.js, unless it is up to date. Answers its path. */
export const bundleWorkflows = async ({ log = () => {} }: { log?: (line: string) => void } = {}): Promise<string> => {
  const stamp = await sources();
  const existing = await readFile(target, 'utf8').catch(() => '');
  if (stampOf(existing) === stamp) return target;
  log('Bundling the workflows …');
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const quiet = {
    trace: () => {},
    debug: () => {},
    info: () => {},
    log: () => {},
    warn: console.warn,
    error: console.error,
  };
  const { code } = await bundleWorkflowCode({ workflowsPath: join(project, 'src/workflows/index.ts'), logger: quiet });
  await mkdir(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  await writeFile(unfinished, `// sources ${stamp}\n${code}`);
  await rename(unfinished, target);
  return target;
};

if (import.meta.main) await bundleWorkflows({ log: (line) => console.log(line) });
