import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';

/** `npm run histories`: runs the recorders instead of the tests. */
export default defineConfig({
  root: new URL('../../../', import.meta.url).pathname,
  test: { ...base.test, include: ['test/workflows/histories/record*.ts'] },
});
