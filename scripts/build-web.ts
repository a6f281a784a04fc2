import { join } from 'node:path';
import { buildOnce } from './build-once.ts';
import { project } from './sources-hash.ts';

/** Builds the dashboard into dist/web/ ({@link buildOnce}). */
export const buildWeb = async ({ log = () => {} }: { log?: (line: string) => void } = {}): Promise<string> =>
  buildOnce({
    name: 'web',
    sources: [
      'src/web',
      'src/shared',
      'packages/webchat/src/default-texts.ts',
      'vite.config.ts',
      'scripts/build-web.ts',
    ],
    onBuild: () => log('Building the dashboard …'),
    build: async (outDir) => {
      const { build } = await import('vite');
      await build({
        configFile: join(project, 'vite.config.ts'),
        logLevel: 'warn',
        mode: 'production',
        build: { outDir, emptyOutDir: true },
      });
    },
  });

if (import.meta.main) await buildWeb({ log: (line) => console.log(line) });
