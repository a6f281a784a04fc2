import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { fillDomain } from '../../../bench/domain/fill.ts';
import { fillDeliveries } from '../../../bench/scenarios/fill.ts';
import { connectForStreams } from '../../../src/api/stream/streams.ts';
import {
  changesAmongDeliveries,
  changesOfDeliveries,
  changesOfEvents,
  changesOfMessages,
  deliveriesInProgress,
  lookAtLists,
} from '../../../src/shared/hints/changes.ts';
import { takeSnapshot } from '../../../src/shared/hints/snapshots.ts';
import { showId } from '../../../src/shared/ids.ts';
import { createTransact } from '../../../src/shared/platform/dispatch/transact.ts';
import { withReactions } from '../../../src/shared/facts/tell.ts';
import { reactions } from '../../../src/shared/reactions.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';
import { insertWebhook } from '../../helpers/accounts.ts';
import { useApi } from '../../helpers/api.ts';
import { createTestDatabase } from '../../helpers/database.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { haveManySettings, manySmallAccounts } from '../../helpers/states/hints.ts';
import { haveManyRuns } from '../../helpers/states/runs.ts';

const many = 20_000;
const database = await createTestDatabase();
const db = connectForStreams(database.target);
const api = await useApi({
  world: {
    db: database.db,
    target: database.target,
    transact: withReactions(
      reactions,
      createTransact(database.db, () => {}),
    ),
    secrets: createSecrets(randomBytes(32)),
  },
});
afterAll(async () => {
  await db.end();
  await database.drop();
});
/** It has nearly all of everything; the other one, next to nothing. */
const { accountId, apiKey: key } = await api.createAccount();
const neighbour = await api.createAccount();

const plan = z.tuple([z.looseObject({ Plan: z.unknown() })]);
type Node = { what: string; rows: number };
const node = z.looseObject({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  Plans: z.array(z.unknown()).default([]),
});

/** The tables that a plan reads, with the rows that each read takes, those thrown away included. */
const readsOf = (given: unknown): Node[] => {
  const { Plans: below, ...self } = node.parse(given);
  const rows = (self['Actual Rows'] + self['Rows Removed by Filter']) * self['Actual Loops'];
  const own =
    self['Relation Name'] === undefined ? [] : [{ what: `${self['Node Type']} on ${self['Relation Name']}`, rows }];
  return [...own, ...below.flatMap(readsOf)];
};

beforeAll(async () => {
  const made = await api.request<{ id: string }>('POST', '/v1/channels', { key, body: { type: 'api', name: 'Shop' } });
  await fillDomain({
    database: database.target,
    accountId,
    channelId: made.body.id,
    contacts: many,
    messages: 2 * many,
  });
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://receiver.example/' });
  const target = { accountId, webhookIds: [showId('webhook', webhookId)] };
  await fillDeliveries({ database: database.target, target, count: many, weeks: 3 });
  const flowId = await aFlow(database.db, accountId, {
    blocks: [{ id: 'hello', type: 'send', messages: [{ text: 'Hello' }] }],
  });
  await haveManyRuns(database.db, flowId, many);
  await haveManySettings(database.db, accountId);
  await manySmallAccounts(database.db);
}, 120_000);

type Look =
  | typeof lookAtLists
  | typeof changesOfDeliveries
  | typeof deliveriesInProgress
  | typeof changesOfEvents
  | typeof changesOfMessages;

/** What a look reads, and how many rows it may take for one account at most: its bounds, and a first row of each week. */
const window = { before: await takeSnapshot(db), now: await takeSnapshot(db) };
const looks: [string, number, (accounts: string[]) => ReturnType<Look>][] = [
  ['lists', 2_450, (accounts) => lookAtLists(db, accounts, window)],
  ['deliveries', 400, (accounts) => changesOfDeliveries(db, accounts, { window, sinceSeconds: 30 })],
  ['deliveries in progress', 201, (accounts) => deliveriesInProgress(db, accounts, window)],
  ['events', 140, (accounts) => changesOfEvents(db, accounts, window)],
  ['messages', 2_000, (accounts) => changesOfMessages(db, accounts, { window, sinceSeconds: 60 })],
];

test.for(looks)(
  'the look at %s reads by indexes, and no more than its bounds, however much there is',
  async ([, most, look]) => {
    for (const accounts of [[accountId], [neighbour.accountId], [accountId, neighbour.accountId]]) {
      const [row] = await db`explain (analyze, timing off, format json) ${look(accounts)}`;
      const [{ Plan }] = plan.parse(row?.['QUERY PLAN']);
      const reads = readsOf(Plan);
      expect(reads.length).toBeGreaterThan(0);
      expect(reads.filter(({ what }) => what.startsWith('Seq Scan'))).toEqual([]);
      expect(reads.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(most * accounts.length);
    }
  },
);

test('the look at deliveries that were in progress reads those alone', async () => {
  const ids = await db<
    { id: string }[]
  >`select id from deliveries where account_id = ${accountId} order by id desc limit 200`;
  const look = changesAmongDeliveries(
    db,
    ids.map(({ id }) => id),
    window,
  );
  const [row] = await db`explain (analyze, timing off, format json) ${look}`;
  const [{ Plan }] = plan.parse(row?.['QUERY PLAN']);
  const reads = readsOf(Plan);
  expect(reads.filter(({ what }) => what.startsWith('Seq Scan'))).toEqual([]);
  expect(reads.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(200);
});
