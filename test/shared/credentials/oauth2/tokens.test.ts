import { describe, expect, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../../../../src/shared/platform/db/connect.ts';
import { ageTokens } from '../../../helpers/states/tokens.ts';
import { asClient, useTokenWorld } from './token-world.ts';

const { database, server, aCredential, stateOf, aProcess, calls } = useTokenWorld();

describe('a token', () => {
  test('is asked for at the first request, and sent as Bearer until it is due', async () => {
    const { id } = await aCredential({ ...asClient, scope: 'stock:read', audience: 'https://shop' });
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', expiresAt: null });
    const request = aProcess();
    expect(await request()).toMatchObject({ statusCode: 200 });
    expect(await request()).toMatchObject({ statusCode: 200 });
    expect(server().exchanges.map((asked) => Object.fromEntries(asked))).toEqual([
      { grant_type: 'client_credentials', scope: 'stock:read', audience: 'https://shop' },
    ]);
    expect(server().requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('parley:client-secret').toString('base64')}`,
    );
    expect(calls().map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('Bearer access-secret-1'));
    expect(await stateOf(id)).toMatchObject({ state: 'connected', reason: null, expiresAt: expect.any(Date) });
  });

  test('is asked for with client id and secret in the body where the credential says so', async () => {
    await aCredential({ ...asClient, auth_method: 'body', client_secret: 'with & and ü' });
    expect(await aProcess()()).toMatchObject({ statusCode: 200 });
    expect(Object.fromEntries(server().exchanges[0] ?? [])).toEqual({
      grant_type: 'client_credentials',
      client_id: 'parley',
      client_secret: 'with & and ü',
    });
    expect(server().requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('is refreshed after 80 % of its life, and lives an hour where the answer does not say', async () => {
    server().expiresIn = undefined;
    await aCredential();
    const request = aProcess();
    await request();
    await ageTokens(database().db, { seconds: 2_870 });
    await request();
    expect(server().exchanges).toHaveLength(1);
    await ageTokens(database().db, { seconds: 20 });
    await request();
    expect(server().exchanges.map((asked) => asked.get('refresh_token'))).toEqual([
      'refresh-secret-0',
      'refresh-secret-1',
    ]);
    expect(calls().at(-1)?.headers.authorization).toBe('Bearer access-secret-2');
  });

  test('that is still good is sent while the token endpoint hangs, and by all but one at once', async () => {
    await aCredential();
    const request = aProcess();
    await request();
    await ageTokens(database().db, { seconds: 3_000 });
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<500>();
    server().onExchange = () => {
      asked.resolve();
      return held.promise;
    };
    const first = request();
    await asked.promise;
    expect(await request()).toMatchObject({ statusCode: 200 });
    held.resolve(500);
    expect(await first).toMatchObject({ statusCode: 200 });
    expect(server().exchanges).toHaveLength(2);
  });

  test('is renewed once on a 401, and another 401 soon after renews none', async () => {
    const { id } = await aCredential();
    const request = aProcess();
    await request();
    server().revokeAccess();
    expect(await request()).toMatchObject({ statusCode: 200 });
    expect(server().exchanges).toHaveLength(2);
    server().revokeAccess();
    expect(await request()).toMatchObject({ statusCode: 401 });
    expect(server().exchanges).toHaveLength(2);
    expect(await stateOf(id)).toMatchObject({ state: 'connected' });
  });
});

describe('who waits for a token', () => {
  /** A request that waits for an exchange, which is held until the test lets it go. */
  const holdExchange = async (request: () => Promise<unknown>) => {
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<undefined>();
    server().onExchange = () => {
      asked.resolve();
      return held.promise;
    };
    const first = request();
    await asked.promise;
    return { first, release: () => held.resolve(undefined) };
  };

  test('is one of so many at most: another comes back later, and nobody asks twice', async () => {
    await aCredential();
    const request = aProcess({ limits: { mostWaiting: 1 } });
    const { first, release } = await holdExchange(request);
    expect(await request()).toEqual({ type: 'busy' });
    release();
    expect(await first).toMatchObject({ statusCode: 200 });
    expect(server().exchanges).toHaveLength(1);
  });

  test('comes back later when its patience is over, also in another process', async () => {
    await aCredential();
    const { first, release } = await holdExchange(aProcess());
    expect(await aProcess({ limits: { patienceMs: 300 } })()).toEqual({ type: 'busy' });
    release();
    expect(await first).toMatchObject({ statusCode: 200 });
    expect(server().exchanges).toHaveLength(1);
  });

  test('gets it when it is written, though the database was away after the exchange', async () => {
    await aCredential();
    const { db } = database();
    const request = aProcess();
    const { first, release } = await holdExchange(request);
    await db`alter table oauth2_clients rename to oauth2_away`;
    release();
    await expect.poll(() => server().refreshToken).toBe('refresh-secret-1');
    expect(calls()).toEqual([]);
    await db`alter table oauth2_away rename to oauth2_clients`;
    expect(await first).toMatchObject({ statusCode: 200 });
    await ageTokens(db, { seconds: 4_000 });
    expect(await request()).toMatchObject({ statusCode: 200 });
    expect(server().exchanges.at(-1)?.get('refresh_token')).toBe('refresh-secret-1');
  });
});

describe('a thousand requests at once', () => {
  test('on one expired rotating token make one refresh, and none of them fails', { timeout: 120_000 }, async () => {
    await aCredential();
    const other = connectDatabase(database().target);
    onTestFinished(() => other.end());
    const [one, two] = [aProcess(), aProcess({ db: other })];
    await one();
    await ageTokens(database().db, { seconds: 4_000 });
    const made = await Promise.all(Array.from({ length: 1_000 }, (_, n) => (n % 2 === 0 ? one() : two())));
    expect(made.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
    expect(server().exchanges).toHaveLength(2);
    expect(
      new Set(
        calls()
          .slice(1)
          .map(({ headers }) => headers.authorization),
      ),
    ).toEqual(new Set(['Bearer access-secret-2']));
  });
});
