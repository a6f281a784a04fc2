import type { Sql } from '../../shared/platform/db/connect.ts';
import { showId } from '../../shared/ids.ts';
import { sayCount } from '../../shared/replays/count.ts';
import { findLeftByPlan } from '../../shared/replays/left-by-plan.ts';
import { ok, warning, type Finding } from './finding.ts';

const part = 'Plans';
/** Accounts that are named; the rest are named when these are mended. */
const namedAtMost = 5;

/** Plans that came back: what was parked meanwhile is sent when somebody asks for it, and not before. */
export const examinePlans = async (sql: Sql): Promise<Finding> => {
  const left = await findLeftByPlan(sql, { limit: namedAtMost });
  if (left.length === 0) return ok(part, 'none that came back has left deliveries parked');
  const named = left.map(({ accountId, count }) => `${sayCount(count)} of ${showId('account', accountId)}`).join(', ');
  const commands = left.map(
    ({ accountId, since }) =>
      `parley replays start --account ${showId('account', accountId)} --status parked --since ${since.toISOString()}`,
  );
  return warning(part, `back, and deliveries parked before wait for a replay: ${named}`, commands.join('; '));
};
