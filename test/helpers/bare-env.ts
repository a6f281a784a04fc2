import { fileURLToPath } from 'node:url';

/** Where compiled code is kept, for the global set-up to put into NODE_COMPILE_CACHE: a good part of what the start of a process costs. */
export const compileCache = fileURLToPath(new URL('../../.cache/compiled', import.meta.url));

/** What a process that a test starts gets of this one's environment: nothing but the PATH, and where compiled code is kept. */
export const bareEnv = () => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
});
