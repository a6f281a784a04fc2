import { defineConfig } from 'vitest/config';
import base from '../../../vitest.web.config.ts';

/** `npm run bench:web`: measures pages in a real browser, and prints what it has measured. */
export default defineConfig({
  root: new URL('../../../', import.meta.url).pathname,
  // One after the other: each would measure what the others take.
  test: { ...base.test, include: ['test/web/speed/*.speed.ts'], retry: 0, fileParallelism: false },
});
