import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { firstSettings } from '../../src/shared/notifications/schema.ts';
import { mailedUsersAtMost } from '../../src/shared/notifications/settings.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { useMails } from '../helpers/mails.ts';
import { aColleague } from '../helpers/states/accounts.ts';

const api = await useApi();
const mails = await useMails(api);
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const path = '/dashboard/api/notification-settings';
const read = async (session = account.session) => (await api.request('GET', path, { session })).body;
const change = (body: unknown, session = account.session) => api.request('PUT', path, { session, body });

const never = { sound: false, desktop: false, mail_after_minutes: null };
const chosen = {
  mine: { sound: true, desktop: false, mail_after_minutes: 5 },
  unassigned: never,
  all: { ...never, mail_after_minutes: 1440 },
  quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' },
};

describe('settings of notifications', () => {
  test('are those of the signed-in user alone, and stay as they were chosen', async () => {
    const colleague = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
    expect(await read()).toEqual(firstSettings);
    expect((await change(chosen)).body).toEqual(chosen);
    expect([await read(), await read(colleague)]).toEqual([chosen, firstSettings]);
    await change({ ...chosen, quiet_hours: null });
    expect(await read()).toEqual({ ...chosen, quiet_hours: null });
  });

  test.for([
    ['a wait of no minute', { ...chosen, mine: { ...never, mail_after_minutes: 0 } }],
    ['a wait of more than a day', { ...chosen, mine: { ...never, mail_after_minutes: 1441 } }],
    ['part of a minute', { ...chosen, mine: { ...never, mail_after_minutes: 1.5 } }],
    ['an unknown time zone', { ...chosen, quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Mars/Olympus' } }],
    ['hours that do not exist', { ...chosen, quiet_hours: { from: '24:00', to: '07:00', time_zone: 'UTC' } }],
    ['hours without an end', { ...chosen, quiet_hours: { from: '07:00', to: '07:00', time_zone: 'UTC' } }],
    ['an unknown way', { ...chosen, mine: { ...never, fax: true } }],
    ['a missing kind of conversations', { mine: never, unassigned: never, quiet_hours: null }],
  ])('refuse %s with 422, and stay', async ([, body]) => {
    expect((await change(body)).status).toBe(422);
    expect(await read()).toEqual(firstSettings);
  });

  test(`give mails to ${mailedUsersAtMost} users of an account at most, also when they ask at once`, async () => {
    const sessions: string[] = [];
    for (let count = 0; count <= mailedUsersAtMost; count += 1)
      sessions.push(await createSession(api.db, await aColleague(api.db, account.accountId, 'agent')));
    const answers = await Promise.all(sessions.map((session) => change(chosen, session)));
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(1);
    expect((await change({ ...chosen, mine: never, all: never })).status).toBe(200);
    expect((await change(chosen, sessions[answers.findIndex(({ status }) => status === 200)])).status).toBe(200);
  });
});

describe('a test mail', () => {
  const send = (session = account.session) => api.request('POST', `${path}/test-mail`, { session });

  test('goes to the user who asks for it, and leads to their profile', async () => {
    expect((await send()).status).toBe(204);
    const [mail, ...others] = await mails.deliver();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: account.email, subject: 'Test of your notifications' });
    expect(mail?.text).toContain(`${api.deps.config.baseUrl}/profile`);
  });

  test('is sent five times in ten minutes at most, of each user', async () => {
    const colleague = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
    for (let count = 0; count < 5; count += 1) expect((await send()).status).toBe(204);
    expect((await send()).status).toBe(429);
    expect((await send(colleague)).status).toBe(204);
    expect(await mails.deliver()).toHaveLength(6);
  });
});
