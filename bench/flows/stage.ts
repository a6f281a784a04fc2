import { connectDatabase, type Database } from '../../src/shared/platform/db/connect.ts';
import type { Parts } from '../processes.ts';
import { partsOf, whole, type Ground, type Process } from '../servers.ts';
import type { Target } from '../target.ts';
import { createAutomation, type Automation } from './automation.ts';

/** One process with all task queues, and an account without webhooks on it. */
export type Stage = Automation & { ground: Ground; parley: Process; target: Target; parts: Parts; sql: Database };

export const openStage = async (ground: Ground): Promise<Stage> => {
  const { database } = ground.postgres;
  const parley = await ground.startProcess('parley', { file: whole, database });
  const target = await ground.addTarget(parley, { paths: [] });
  const sql = connectDatabase(database, { max: 2 });
  ground.defer(() => sql.end());
  return { ground, parley, target, parts: partsOf(ground, { parley }), sql, ...(await createAutomation(target)) };
};

/** The parts whose CPU time counts for what flows cost. */
export const counted = ['temporal', 'parley', 'postgres'];
