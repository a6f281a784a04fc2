import { beforeAll, describe, expect, test } from 'vitest';
import { withGenericPlan } from '../../src/shared/platform/db/plans.ts';
import { noEvidence, recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import { listAttempts, type AttemptPosition } from '../../src/shared/deliveries/attempt-log.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';
import { aDelivery, manyAttempts } from '../helpers/deliveries.ts';

type Attempt = { round: number; kind: 'scheduled' | 'manual'; number: number; response_body: string | null };
type Page = { data: Attempt[]; next_cursor: string | null };
type Delivery = { attempts: Attempt[]; attempts_count: number };

const api = await useApi();
const account = await api.createAccount();

const begin = new Date('2026-01-02T03:04:05.678Z').getTime();

/** A delivery with these attempts, a second apart, each answered with what `name` calls it. */
const withAttempts = async (keys: readonly Omit<Attempt, 'response_body'>[]) => {
  const deliveryId = await aDelivery(api.db, {
    accountId: account.accountId,
    webhookId: newUuid(),
    status: 'pending',
  });
  for (const [index, key] of keys.entries()) {
    await recordAttempt(
      api.db,
      { deliveryId, ...key },
      {
        outcome: 'failed',
        reason: 'status',
        statusCode: 500,
        durationMs: 9,
        startedAt: new Date(begin + index * 1_000),
        generation: 1,
        evidence: { ...noEvidence, responseBody: Buffer.from(name(key)) },
      },
    );
  }
  return deliveryId;
};

const name = ({ round, kind, number }: Omit<Attempt, 'response_body'>) => `${round} ${kind} ${number}`;

/** Rounds of three of the ladder with two manual ones between them, in the order in which they are made. */
const rounds = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    { round: index + 1, kind: 'scheduled' as const, number: 1 },
    { round: index + 1, kind: 'manual' as const, number: 1 },
    { round: index + 1, kind: 'scheduled' as const, number: 2 },
    { round: index + 1, kind: 'manual' as const, number: 2 },
    { round: index + 1, kind: 'scheduled' as const, number: 3 },
  ]).flat();

const read = (deliveryId: string) =>
  api.request<Delivery>('GET', `/v1/deliveries/${showId('delivery', deliveryId)}`, { key: account.apiKey });

const page = (deliveryId: string, query: string, key = account.apiKey) =>
  api.request<Page>('GET', `/v1/deliveries/${showId('delivery', deliveryId)}/attempts?${query}`, { key });

const allPages = async (deliveryId: string, limit: number): Promise<string[]> => {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await page(deliveryId, cursor === '' ? `limit=${limit}` : `limit=${limit}&cursor=${cursor}`);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    found.push(...body.data.map(name));
    cursor = body.next_cursor;
  }
  return found;
};

describe('a delivery with more attempts than are shown at once', () => {
  const keys = rounds(13);
  let deliveryId: string;
  beforeAll(async () => {
    deliveryId = await withAttempts(keys);
  });

  test('is read with its latest fifty, in the order in which they were made, and the number of all', async () => {
    const { body } = await read(deliveryId);
    expect(body.attempts.map(name)).toEqual(keys.slice(-50).map(name));
    expect(body.attempts_count).toBe(65);
  });

  test.each([1, 4, 50])('has all of them listed, newest first, each once, %i a page', async (limit) => {
    expect(await allPages(deliveryId, limit)).toEqual(keys.map(name).toReversed());
  });

  test('shows each attempt of a page as the delivery does, whole', async () => {
    const { body } = await page(deliveryId, 'limit=2');
    expect(body.data.map(({ response_body }) => response_body)).toEqual(['13 scheduled 3', '13 manual 2']);
    const { body: detail } = await read(deliveryId);
    expect(body.data).toEqual(detail.attempts.slice(-2).toReversed());
  });
});

test('the dashboard pages through them, too', async () => {
  const deliveryId = await withAttempts(rounds(1));
  const { body } = await api.request<Page>(
    'GET',
    `/dashboard/api/deliveries/${showId('delivery', deliveryId)}/attempts`,
    { session: account.session },
  );
  expect(body).toMatchObject({ data: { length: 5 }, next_cursor: null });
});

test("another account's attempts answer 404, as do those of an id that names nothing and, behind /v1, of variant B", async () => {
  const deliveryId = await withAttempts(rounds(1));
  expect((await page(deliveryId, '', (await api.createAccount()).apiKey)).status).toBe(404);
  expect((await page(newUuid(), '')).status).toBe(404);
  const fields = { accountId: account.accountId, webhookId: newUuid(), status: 'failed' } as const;
  expect((await page(await aDelivery(api.db, { ...fields, variant: 'dashboard' }), '')).status).toBe(404);
});

const encoded = (text: string) => Buffer.from(text).toString('base64url');

test.each([
  'limit=51',
  'limit=0',
  'cursor=',
  'cursor=x',
  `cursor=${encoded('0.manual.1')}`,
  `cursor=${encoded('1.other.1')}`,
  `cursor=${encoded('1.manual.9999999999')}`,
  'round=1',
])('refuses a page that there cannot be: %s', async (query) => {
  expect((await page(newUuid(), query)).status).toBe(422);
});

test('a page reads no more than its rows and the rest of their last round, however many attempts there are', async () => {
  const deliveryId = await withAttempts([]);
  await manyAttempts(api.db, { accountId: account.accountId, deliveryId, rounds: 500 });
  await api.db`analyze attempts`;
  const rowsRead = (before?: AttemptPosition) =>
    withGenericPlan(api.db, async (sql) => {
      const read = async (): Promise<number> => {
        const [row] = await sql<{ count: number }[]>`
          select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
          from pg_stat_xact_user_tables where relname like 'attempts%'`;
        return row?.count ?? 0;
      };
      // What earlier transactions of this connection have read may be among it still.
      const earlier = await read();
      expect(await listAttempts(sql, deliveryId, { limit: 51, before })).toHaveLength(51);
      return (await read()) - earlier;
    });
  expect(await rowsRead()).toBeLessThan(70);
  expect(await rowsRead({ round: 250, kind: 'scheduled', number: 3 })).toBeLessThan(70);
});
