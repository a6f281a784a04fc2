import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { InlineConfig } from 'vite';
import { buildOnce } from './build-once.ts';
import { project } from './sources-hash.ts';

const source = join(project, 'packages/webchat/src');

/** What the two files have in common. Browsers since 2023 run them. */
const shared = (outDir: string, input: string): InlineConfig => ({
  configFile: false,
  root: source,
  publicDir: false,
  logLevel: 'warn',
  mode: 'production',
  build: {
    outDir,
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: join(source, input), preserveEntrySignatures: 'strict' },
  },
});

/**
 * Builds the webchat into dist/webchat/ ({@link buildOnce}): `loader.js`, which is `/webchat/<channel>.js`, and `widget-<hash>.js`, a module that the
 * loader imports from `/webchat/<channel>/`. A loader imports exactly the widget that was built with it.
 */
export const buildWebchat = async ({ log = () => {} }: { log?: (line: string) => void } = {}): Promise<string> =>
  buildOnce({
    name: 'webchat',
    sources: ['packages/webchat/src', 'scripts/build-webchat.ts'],
    onBuild: () => log('Building the webchat …'),
    build: async (outDir) => {
      const { build, mergeConfig } = await import('vite');
      await build(
        mergeConfig(shared(outDir, 'widget.ts'), {
          build: { rolldownOptions: { output: { format: 'es', entryFileNames: 'widget-[hash].js' } } },
        }),
      );
      const [widget = ''] = (await readdir(outDir)).filter((name) => /^widget-[\w-]+\.js$/.test(name));
      await build(
        mergeConfig(shared(outDir, 'loader.ts'), {
          define: { widgetFile: JSON.stringify(widget) },
          // As a library it is built without Vite's own code around imports.
          build: {
            lib: { entry: join(source, 'loader.ts'), formats: ['iife'], name: 'ParleyWebchatLoader' },
            rolldownOptions: { output: { entryFileNames: 'loader.js' } },
          },
        }),
      );
    },
  });

if (import.meta.main) await buildWebchat({ log: (line) => console.log(line) });
