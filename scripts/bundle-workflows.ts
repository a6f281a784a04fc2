import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashSources, project } from './sources-hash.ts';

const workflows = join(project, 'src', 'workflows', 'index.ts');
const target = join(project, 'dist', 'workflows.js');

/** All sources of the bundle: the workflows, the pure modules of shared, the SDK's version, and this file. */
const sources = (): Promise<string> =>
  hashSources(['src/workflows', 'src/shared', 'package-lock.json', 'scripts/bundle-workflows.ts']);

/** One character beyond Latin-1 has V8 keep two bytes for each one of the bundle. The few that there are stand in strings and comments. */
const inAscii = (code: string): string =>
  code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

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
  const { code } = await bundleWorkflowCode({
    workflowsPath: workflows,
    // All workflows of a worker share our modules, which keep no state. Otherwise each that it caches has a copy, of 40 KB.
    preloadModules: [workflows],
    // Every worker keeps the source map; stack traces need its positions alone.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
    logger: quiet,
  });
  await mkdir(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  await writeFile(unfinished, `// sources ${stamp}\n${inAscii(code)}`);
  await rename(unfinished, target);
  return target;
};

if (import.meta.main) await bundleWorkflows({ log: (line) => console.log(line) });
