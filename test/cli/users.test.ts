import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { hueOf } from '../../src/shared/hue.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import { deleteProcess, reportProcess } from '../../src/shared/platform/processes/processes.ts';
import { describeSettings } from '../../src/shared/platform/processes/settings.ts';
import { startCliApi, type CliApi } from './api.ts';
import { parley, parleyHere, parleyReading } from './parley.ts';

let cli: CliApi;
beforeAll(async () => {
  cli = await startCliApi();
});
afterAll(() => cli.stop());

const signIn = async (email: string, password: string): Promise<number> => {
  const headers = { origin: cli.api.url };
  return (await cli.api.request('POST', '/dashboard/api/session', { body: { email, password }, headers })).status;
};

const statusOf = async (session: string): Promise<number> =>
  (await cli.api.request('GET', '/dashboard/api/channels', { session })).status;

test('list shows the users of an account, and nothing that is secret', async () => {
  const { email, userId, accountId } = cli.account;
  const args = ['users', 'list', '--account', showId('account', accountId)];
  const at = expect.stringMatching(/Z$/);
  const id = showId('user', userId);
  const user = { id, email, name: null, color: hueOf(id), role: 'owner', created_at: at, last_seen_at: at };
  expect((await parleyHere(cli.env, ...args, '--json')).json()).toEqual({ data: [user] });
  expect((await parleyHere(cli.env, ...args)).stdout).toMatch(new RegExp(`^${user.id}  +-? *${email}  owner  `, 'm'));
});

test('set-name names a user, and refuses a name that is none', async () => {
  const { email } = await cli.api.createAccount();
  const set = (name: string) => parleyHere(cli.env, 'users', 'set-name', email, name, '--json');
  expect((await set('  Ada Lovelace ')).json()).toMatchObject({ email, name: 'Ada Lovelace' });
  for (const name of [' ', 'x'.repeat(81), 'Ada\nLovelace']) expect(await set(name)).toMatchObject({ code: 2 });
  expect((await set('Ada')).json()).toMatchObject({ name: 'Ada' });
});

test('set-password makes one, shows it this once, and ends every session of the user and of nobody else', async () => {
  const [user, other] = [await cli.api.createAccount(), await cli.api.createAccount()];
  const set = await parley(cli.env, 'users', 'set-password', user.email.toUpperCase(), '--json');
  expect(set).toMatchObject({ code: 0, stderr: '' });
  const document = z
    .strictObject({ id: z.string(), email: z.string(), password: z.string().min(20) })
    .parse(set.json());
  expect(document).toMatchObject({ id: showId('user', user.userId), email: user.email });
  expect([await statusOf(user.session), await statusOf(other.session)]).toEqual([401, 200]);
  expect([await signIn(user.email, user.password), await signIn(user.email, document.password)]).toEqual([401, 200]);
  expect(await signIn(other.email, other.password)).toBe(200);
});

test('set-password --ask takes the first line of stdin, and does not repeat it', async () => {
  const { userId, email, session } = await cli.api.createAccount();
  const args = ['users', 'set-password', showId('user', userId), '--ask'];
  const set = await parleyReading('battery staple\nmore\n', cli.env, ...args);
  expect(set).toMatchObject({ code: 0, stderr: '' });
  expect(set.stdout).not.toContain('battery staple');
  expect(await statusOf(session)).toBe(401);
  expect(await signIn(email, 'battery staple')).toBe(200);
});

test.for([
  ['nothing', ''],
  ['an empty line', '\n'],
  ['a short one', 'short\n'],
  ['a long one', `${'x'.repeat(300)}\n`],
])('set-password --ask with %s on stdin is wrong usage, and changes nothing', async ([, input = '']) => {
  const { email, password, session } = await cli.api.createAccount();
  expect(await parleyReading(input, cli.env, 'users', 'set-password', email, '--ask')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/password/i),
  });
  expect([await statusOf(session), await signIn(email, password)]).toEqual([200, 200]);
});

test('set-password of a user that does not exist fails, and there is no way to pass a password as an argument', async () => {
  expect(await parleyHere(cli.env, 'users', 'set-password', 'nobody@example.com')).toMatchObject({
    code: 1,
    stderr: 'No such user.\n',
  });
  const { code } = await parleyHere(cli.env, 'users', 'set-password', cli.account.email, 'battery staple');
  expect(code).toBe(2);
});

test('sign-in-link makes a link to the service, which signs the user in once, and leaves its sessions alone', async () => {
  const { email, session, userId } = await cli.api.createAccount();
  const made = await parley(
    { ...cli.env, BASE_URL: 'https://parley.example' },
    'users',
    'sign-in-link',
    email,
    '--json',
  );
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { link } = z.strictObject({ id: z.string(), email: z.string(), link: z.string() }).parse(made.json());
  const [, token] = /^https:\/\/parley\.example\/sign-in#token=([\w-]{43})$/.exec(link) ?? [];
  const open = async () =>
    (
      await cli.api.request('POST', '/dashboard/api/session/link', {
        body: { token },
        headers: { origin: cli.api.url },
      })
    ).status;
  expect([await open(), await open(), await statusOf(session)]).toEqual([200, 422, 200]);
  const shown = await parleyHere(cli.env, 'users', 'sign-in-link', showId('user', userId));
  expect(shown.stdout).toMatch(/^Sign in +http:\/\/localhost:8080\/sign-in#token=[\w-]{43}$/m);
  expect(await parleyHere(cli.env, 'users', 'sign-in-link', 'nobody@example.com')).toMatchObject({
    code: 1,
    stderr: 'No such user.\n',
  });
});

test('sign-in-link names the address of the service that is at work, whatever this shell has', async () => {
  const { email } = await cli.api.createAccount();
  const settings = describeSettings(parseConfig({ BASE_URL: 'https://at-work.example', PORT: '8123' }));
  const process = { id: newUuid(), host: 'h', pid: 1, version: '0.3.0', roles: ['api'], settings };
  await reportProcess(cli.api.db, process);
  try {
    const { stdout } = await parleyHere(cli.env, 'users', 'sign-in-link', email);
    expect(stdout).toContain('https://at-work.example/sign-in#token=');
  } finally {
    await deleteProcess(cli.api.db, process.id);
  }
});
