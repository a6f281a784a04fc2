import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endWithUs } from '../../../../src/shared/platform/embedded/server-process.ts';
import { ageTokens } from '../../../helpers/states/tokens.ts';
import { testCa } from '../../../helpers/tls.ts';
import { namesAt } from '../../platform/egress/builders.ts';
import { asClient, useTokenWorld } from './token-world.ts';

const { key, database, server, accountId, aCredential, replace, stateOf, tryAgain, aProcess, calls } = useTokenWorld();

const mails = () => database().db<{ subject: string; body: string }[]>`
  select subject, body from mails where account_id = ${accountId()} and kind = 'credential_refused'`;

describe('a refused refresh', () => {
  test('sets the credential to reconnect, mails the owner once, and fails requests in words', async () => {
    const { id } = await aCredential({ refresh_token: 'revoked-refresh-secret' });
    const request = aProcess();
    const made = await request();
    expect(made).toMatchObject({
      statusCode: null,
      reason: 'credential',
      detail:
        'the credential shop has to be reconnected: the token endpoint does not accept the refresh token any more',
    });
    expect(await request()).toMatchObject({ reason: 'credential' });
    expect(await stateOf(id)).toMatchObject({ state: 'reconnect', reason: 'invalid_grant' });
    expect([server().exchanges.length, calls().length]).toEqual([1, 0]);
    const [mail, ...others] = await mails();
    expect([mail?.subject, others]).toEqual(['Reconnect your credential shop', []]);
    expect(JSON.stringify([made, mail])).not.toContain('-secret');
  });

  test('is over when the secrets are replaced', async () => {
    const { id } = await aCredential({ refresh_token: 'revoked' });
    const request = aProcess();
    await request();
    expect((await replace(id)).oauth2).toMatchObject({ state: 'waiting', reason: null });
    expect(await request()).toMatchObject({ statusCode: 200 });
  });

  test('is over when the token endpoint takes the same secrets again, and is counted and told once where it does not', async () => {
    const { id } = await aCredential();
    server().onExchange = () => ({ type: 'respond', status: 400, body: '{"error": "invalid_client"}' });
    const request = aProcess();
    await request();
    expect(await tryAgain(id)).toMatchObject({
      oauth2: { state: 'reconnect', reason: 'invalid_client' },
      asked: [['refused', 1]],
    });
    expect([server().exchanges.length, (await mails()).length]).toEqual([2, 1]);
    server().onExchange = () => ({ type: 'respond', status: 503 });
    expect(await tryAgain(id)).toMatchObject({ oauth2: { state: 'failing' }, asked: [['failed', 1]] });
    // Nobody asks again in the pause after a failure.
    expect(await tryAgain(id)).toMatchObject({ oauth2: { state: 'failing' }, asked: [] });
    await replace(id);
    server().onExchange = undefined;
    expect(await tryAgain(id)).toMatchObject({ oauth2: { state: 'connected' }, asked: [['renewed', 1]] });
    expect(await tryAgain(id)).toMatchObject({ oauth2: { state: 'connected' }, asked: [] });
    expect(await request()).toMatchObject({ statusCode: 200 });
  });

  test.for([400, 401])('may be any %i, whose body is not repeated', async (status) => {
    const { id } = await aCredential(asClient);
    server().onExchange = () => ({ type: 'respond', status, body: '{"error": "client-secret is wrong"}' });
    await aProcess()();
    expect(await stateOf(id)).toMatchObject({ state: 'reconnect', reason: `status_${status}` });
  });
});

describe('a token endpoint without a token', () => {
  test('fails the requests that wait for it, keeps the credential, and is left alone for a moment', async () => {
    const { id } = await aCredential();
    server().onExchange = () => ({ type: 'respond', status: 503 });
    const request = aProcess();
    const all = await Promise.all(Array.from({ length: 20 }, () => request()));
    expect(all.filter(({ reason }) => reason === 'token').length).toBeGreaterThan(0);
    expect(all.filter(({ reason, type }) => reason !== 'token' && type !== 'busy')).toEqual([]);
    expect(await request()).toEqual({ type: 'busy' });
    expect([server().exchanges.length, calls().length]).toEqual([1, 0]);
    expect(await stateOf(id)).toMatchObject({ state: 'failing', reason: 'status_503' });
    server().onExchange = undefined;
    await ageTokens(database().db, { seconds: 2 });
    expect(await request()).toMatchObject({ statusCode: 200 });
    expect(await stateOf(id)).toMatchObject({ state: 'connected', reason: null });
  });

  test('because it hangs is given up in time, and no request is sent', async () => {
    await aCredential();
    server().onExchange = () => ({ type: 'hang' });
    expect(await aProcess({ limits: { exchangeTimeoutMs: 300 } })()).toMatchObject({
      reason: 'token',
      detail: 'the credential shop got no access token: the token endpoint did not answer in time',
    });
    expect(calls()).toEqual([]);
  });

  test.for([
    ['no JSON', 'access_token=x'],
    ['no bearer token', '{"access_token": "x", "token_type": "mac"}'],
    ['a token that ends a header', '{"access_token": "x\\r\\nhost: a.example"}'],
  ])('because it answers %s says so', async ([, body = '']) => {
    const { id } = await aCredential();
    server().onExchange = () => ({ type: 'respond', body });
    expect(await aProcess()()).toMatchObject({ reason: 'token' });
    expect(await stateOf(id)).toMatchObject({ state: 'failing', reason: 'invalid_answer' });
  });
});

describe('secrets of a client', () => {
  test('go to no private address that is not allowed, whatever its name', async () => {
    const { id } = await aCredential({ token_url: server().url('/token', 'localhost'), hosts: ['127.0.0.2'] });
    const request = aProcess({ allow: '127.0.0.2', lookup: namesAt('127.0.0.1') });
    expect(await request('https://127.0.0.2/')).toMatchObject({ reason: 'token' });
    expect(await stateOf(id)).toMatchObject({ state: 'failing', reason: 'refused_address' });
    expect(server().requests).toEqual([]);
  });

  test('follow no redirect', async () => {
    await aCredential();
    server().onExchange = () => ({ type: 'respond', status: 307, headers: { location: server().url('/elsewhere') } });
    expect(await aProcess()()).toMatchObject({ reason: 'token' });
    expect(calls()).toEqual([]);
  });

  test('do not bring an access token to a host that is not named', async () => {
    await aCredential({ hosts: ['api.shop.example'] });
    expect(await aProcess()()).toMatchObject({
      reason: 'credential',
      detail: 'the credential shop is not for 127.0.0.1',
    });
    expect(calls()).toEqual([]);
  });

  test('that are replaced end the access token, and keep the rotated refresh token where they may', async () => {
    const { id } = await aCredential();
    const request = aProcess();
    await request();
    await replace(id, { client_secret: 'next-client-secret', refresh_token: undefined });
    await request();
    expect(server().exchanges.at(-1)?.get('refresh_token')).toBe('refresh-secret-1');
    const elsewhere = { refresh_token: undefined, token_url: 'https://auth.other.example/token' };
    await expect(replace(id, elsewhere)).rejects.toMatchObject({ details: [{ path: 'refresh_token' }] });
    const more = { refresh_token: undefined, hosts: ['127.0.0.1', 'evil.example'] };
    await expect(replace(id, more)).rejects.toMatchObject({ details: [{ path: 'refresh_token' }] });
    // Nor after the client secret has been made one that the asker knows.
    await replace(id, { refresh_token: undefined, client_secret: 'known' });
    const known = { ...more, client_secret: 'known' };
    await expect(replace(id, known)).rejects.toMatchObject({ details: [{ path: 'refresh_token' }] });
    await expect(replace(id, { ...known, refresh_token: 'refresh' })).resolves.toMatchObject({ hosts: more.hosts });
  });
});

describe('a process that is killed between the exchange and its record', () => {
  /** The process is killed when the service has replaced the refresh token, and before it answers. */
  const killMeanwhile = async (id: string): Promise<void> => {
    server().onExchange = () => {
      child.kill('SIGKILL');
      return { type: 'hang' };
    };
    const script = join(import.meta.dirname, 'renewing-process.ts');
    const args = [script, database().target, key.toString('hex'), testCa().certPem, accountId(), id];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    child.once('exit', endWithUs(child.pid ?? 0));
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'exit');
    server().onExchange = undefined;
    expect(server().exchanges).toHaveLength(1);
  };

  test('is followed by another when its lease is over, with the refresh token that may count again', async () => {
    const { id } = await aCredential();
    await killMeanwhile(id);
    await ageTokens(database().db, { seconds: 21 });
    expect(await aProcess()()).toMatchObject({ statusCode: 200 });
    expect(await stateOf(id)).toMatchObject({ state: 'connected' });
  });

  test('leaves a credential to reconnect where the refresh token counted once, and says why', async () => {
    const { id } = await aCredential();
    await killMeanwhile(id);
    server().refreshToken = 'refresh-secret-that-nobody-knows';
    await ageTokens(database().db, { seconds: 21 });
    expect(await aProcess()()).toMatchObject({ reason: 'credential' });
    expect(await stateOf(id)).toMatchObject({ state: 'reconnect', reason: 'interrupted' });
  });
});
