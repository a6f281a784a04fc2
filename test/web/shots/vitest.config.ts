import { defineConfig } from 'vitest/config';
import base from '../../../vitest.web.config.ts';

/** `npm run shots`: takes pictures instead of testing. */
export default defineConfig({
  root: new URL('../../../', import.meta.url).pathname,
  test: { ...base.test, include: ['test/web/shots/*.shots.ts'], retry: 0 },
});
