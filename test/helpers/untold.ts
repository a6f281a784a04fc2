import type { Writer } from '../../src/shared/facts/tell.ts';
import type { Sql } from '../../src/shared/platform/db/connect.ts';

/** What a writer needs, for a test that prepares something which no page hears of. */
export const untold = (sql: Sql): Writer => ({ sql, tell: () => {} });
