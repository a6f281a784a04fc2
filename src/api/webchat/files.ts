import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { createBuiltFile, readOnce, sendBuiltFile, type BuiltFile } from '../built-files.ts';
import type { ApiContext } from '../http.ts';

/** Made by `npm run build` of `packages/webchat`. */
const built = fileURLToPath(new URL('../../../dist/webchat/', import.meta.url));

/** The files of the widget by their names: `loader.js`, and one whose name changes with what is in it. */
const readFiles = async (): Promise<ReadonlyMap<string, BuiltFile>> => {
  const names = await readdir(built);
  const form = (name: string) => (names.includes(name) ? readFile(join(built, name)) : undefined);
  const files = names
    .filter((name) => name.endsWith('.js'))
    .map(async (name) => {
      const [bytes, br, gzip] = [await readFile(join(built, name)), await form(`${name}.br`), await form(`${name}.gz`)];
      return [name, createBuiltFile({ type: 'js', bytes, br, gzip, isHashed: name !== 'loader.js' })] as const;
    });
  return new Map(await Promise.all(files));
};

/** Serves the files of the widget, the same for every channel. Pages of any site load them: nothing of the channel is in them. */
export const createWidgetFiles = () => {
  const read = readOnce(readFiles);
  const send = async (ctx: ApiContext, name: string): Promise<void> => {
    const file = (await read()).get(name);
    if (!file) throw notFound('path');
    sendBuiltFile(ctx, file);
    ctx.set('Access-Control-Allow-Origin', '*');
  };
  return {
    /** `/webchat/<channel>.js`. */
    sendLoader: (ctx: ApiContext): Promise<void> => {
      const [, id = ''] = /^(\w+)\.js$/.exec(ctx.params['file'] ?? '') ?? [];
      if (parseId('channel', id) === undefined) throw notFound('path');
      return send(ctx, 'loader.js');
    },
    /** `/webchat/<channel>/widget-<hash>.js`. */
    sendPart: (ctx: ApiContext): Promise<void> => {
      const name = ctx.params['part'] ?? '';
      if (!/^widget-[\w-]+\.js$/.test(name)) throw notFound('path');
      return send(ctx, name);
    },
  };
};
