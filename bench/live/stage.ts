import { z } from 'zod';
import { connectDatabase, type Database } from '../../src/shared/platform/db/connect.ts';
import type { Parts } from '../processes.ts';
import { partsOf, whole, type Ground, type Process } from '../servers.ts';
import { createAsk, type Ask } from './ask.ts';
import { startBotApi, type BotApi } from './bot-webhooks.ts';
import { createVisitors, type Shop, type Visitor } from './visitors.ts';

/** One process, shops on it, and their visitors. */
export type LiveStage = {
  ground: Ground;
  parley: Process;
  parts: Parts;
  sql: Database;
  ask: Ask;
  botApi: BotApi;
  shops: readonly Shop[];
  visitors: readonly Visitor[];
};

/** Visitors of a shop. */
const visitorsEach = 38;

const withId = z.object({ id: z.string() });

/** Starts a process behind a proxy, which is the bench, so that each visitor has an address. */
export const openLiveStage = async (
  ground: Ground,
  { visitors: count, profile }: { visitors: number; profile?: string | undefined },
): Promise<LiveStage> => {
  const { database } = ground.postgres;
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const botApi = await startBotApi();
  ground.defer(botApi.close);
  const env = { TRUST_PROXY: '1', TELEGRAM_API_URL: botApi.url, TELEGRAM_UPDATES: 'webhook' };
  const parley = await ground.startProcess('parley', { file: whole, flags, database, env });
  const sql = connectDatabase(database, { max: 2 });
  ground.defer(() => sql.end());
  const { ask, close } = createAsk(parley.url);
  ground.defer(close);
  const shops: Shop[] = [];
  for (let index = 0; index * visitorsEach < count; index += 1) {
    const target = await ground.addTarget(parley, { paths: [] });
    const body = { type: 'webchat', name: `Shop ${index}`, origins: [] };
    const { id } = withId.parse(await target.call({ method: 'POST', path: '/v1/channels', status: 201, body }));
    shops.push({ target, webchatId: id });
  }
  const visitors = await createVisitors({ ask, parley, shops }, count);
  return { ground, parley, parts: partsOf(ground, { parley }), sql, ask, botApi, shops, visitors };
};

/** The parts whose CPU time counts. */
export const counted = ['temporal', 'parley', 'postgres'];
