import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createSession } from '../../../src/shared/accounts/sessions.ts';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import type { TestAccount } from '../../helpers/api.ts';
import { anInboundMessage } from '../../helpers/builders.ts';
import { aColleague } from '../../helpers/states/accounts.ts';
import { useWeb } from '../helpers/web.ts';

const { api, web } = await useWeb();

type Recorded = { shown: string[]; of: string[]; clickLast: () => void; tones: number };

/** Notes what a page shows on the desktop and plays: a headless browser does neither. */
const record = (page: Page) =>
  page.context().addInitScript(() => {
    const recorded: Recorded = { shown: [], of: [], clickLast: () => {}, tones: 0 };
    class Shown extends EventTarget {
      static readonly permission = 'granted';
      constructor(title: string, { tag = '' }: { tag?: string }) {
        super();
        recorded.shown.push(title);
        recorded.of.push(tag);
        recorded.clickLast = () => this.dispatchEvent(new Event('click'));
      }
      close(): void {}
    }
    class Context {
      state = 'running';
      currentTime = 0;
      destination = {};
      resume = () => Promise.resolve();
      createGain = () => ({
        gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
        connect: () => {},
      });
      createOscillator = () => {
        recorded.tones += 1;
        return { frequency: {}, connect: () => ({ connect: () => {} }), start: () => {}, stop: () => {} };
      };
    }
    Object.assign(globalThis, { Notification: Shown, AudioContext: Context, recorded });
  });

const shownOn = (page: Page) => page.evaluate<string[]>('recorded.shown');

/** Of which conversations it was. */
const ofWhich = (page: Page) => page.evaluate<string[]>('recorded.of');

/** A contact that writes over a channel of the account: answers what it does. */
const aTalk = async ({ apiKey: key }: TestAccount) => {
  const as = <Body>(method: string, path: string, body?: unknown) => api.request<Body>(method, path, { key, body });
  const channel = (await as<{ id: string }>('POST', '/v1/channels', { type: 'api', name: 'Shop' })).body.id;
  const sender = { external_id: newUuid() };
  const write = async () => {
    const path = `/v1/channels/${channel}/inbound`;
    const { body } = await as<{ message: { id: string } }>('POST', path, anInboundMessage({ sender }));
    return (await as<{ conversation_id: string }>('GET', `/v1/messages/${body.message.id}`)).body.conversation_id;
  };
  const id = await write();
  return { id, write, ask: () => as('POST', '/v1/handovers', { conversation_id: id, reason: 'Is angry.' }) };
};

test('a waiting conversation notifies by one of two tabs, counts in both, and opens by a click', async () => {
  const account = await api.createAccount();
  const first = await web.open('/profile', { session: account.session, alone: true });
  await record(first);
  await first.reload();
  const second = await first.context().newPage();
  await second.goto(`${api.url}/profile`);
  for (const page of [first, second]) await page.getByRole('region', { name: 'Notifications' }).waitFor();
  const talk = await aTalk(account);
  await talk.ask();
  await talk.write();
  for (const page of [first, second]) {
    await expect.poll(() => page.title(), { timeout: 20_000 }).toMatch(/^\(1\) /);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('data:image/svg+xml');
  }
  await second.getByRole('link', { name: 'Flows' }).first().click();
  await expect.poll(() => second.title()).toMatch(/^\(1\) Flows/);
  const all = async () => [...(await shownOn(first)), ...(await shownOn(second))];
  await expect.poll(all, { timeout: 20_000 }).toContain('A contact is waiting for an agent');
  const leader = (await shownOn(first)).length > 0 ? first : second;
  expect(await shownOn(leader === first ? second : first)).toEqual([]);
  expect(await leader.evaluate<number>('recorded.tones')).toBeGreaterThan(0);
  await leader.evaluate('recorded.clickLast()');
  await expect.poll(() => leader.url()).toContain(talk.id);
  await expect.poll(() => first.title(), { timeout: 20_000 }).not.toMatch(/^\(/);
});

test('when the tab that notifies is closed, another one does, and tells of nothing again', async () => {
  const account = await api.createAccount();
  const first = await web.open('/profile', { session: account.session, alone: true });
  await record(first);
  await first.reload();
  const talk = await aTalk(account);
  await talk.ask();
  await talk.write();
  await expect.poll(() => shownOn(first), { timeout: 20_000 }).toEqual(['A contact is waiting for an agent']);
  const second = await first.context().newPage();
  await second.goto(`${api.url}/profile`);
  await expect.poll(() => second.title(), { timeout: 20_000 }).toMatch(/^\(1\) /);
  await first.close();
  const other = await aTalk(account);
  await other.ask();
  await other.write();
  await expect.poll(() => second.title(), { timeout: 20_000 }).toMatch(/^\(2\) /);
  expect(await shownOn(second)).toEqual(['A contact is waiting for an agent']);
});

test('a conversation of the bot neither notifies nor counts', async () => {
  const account = await api.createAccount();
  const page = await web.open('/profile', { session: account.session, alone: true });
  await record(page);
  await page.reload();
  await page.getByRole('region', { name: 'Notifications' }).waitFor();
  const bots = await aTalk(account);
  await bots.write();
  const waits = await aTalk(account);
  await waits.ask();
  await waits.write();
  await expect.poll(() => page.title(), { timeout: 20_000 }).toMatch(/^\(1\) /);
  const shown = await shownOn(page);
  expect(new Set(shown)).toEqual(new Set(['A contact is waiting for an agent']));
});

test('a conversation that a flow hands over with the last word notifies', async () => {
  const account = await api.createAccount();
  const page = await web.open('/profile', { session: account.session, alone: true });
  await record(page);
  await page.reload();
  await page.getByRole('region', { name: 'Notifications' }).waitFor();
  const { id, ask } = await aTalk(account);
  const body = { text: 'An agent will be with you.', client_ref: newUuid() };
  const sent = await api.request('POST', `/v1/conversations/${id}/messages`, { key: account.apiKey, body });
  expect(sent.status).toBe(201);
  await ask();
  await expect.poll(() => shownOn(page), { timeout: 20_000 }).toEqual(['A contact is waiting for an agent']);
});

describe('a conversation that is assigned', () => {
  /** A conversation in which a flow has the last word, and whose messages a colleague has read. */
  const aReadTalk = async (account: TestAccount, session: string) => {
    const { id } = await aTalk(account);
    const body = { text: 'An agent will be with you.', client_ref: newUuid() };
    await api.request('POST', `/v1/conversations/${id}/messages`, { key: account.apiKey, body });
    await api.request('POST', `/dashboard/api/conversations/${id}/read`, { session });
    return id;
  };

  const assign = async (id: string, { userId, session }: { userId: string; session: string }) => {
    const body = { assigned_to: showId('user', userId) };
    expect((await api.request('PATCH', `/dashboard/api/conversations/${id}`, { session, body })).status).toBe(200);
  };

  const start = async () => {
    const account = await api.createAccount();
    const colleague = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
    const page = await web.open('/profile', { session: account.session, alone: true });
    await record(page);
    await page.reload();
    await page.getByRole('region', { name: 'Notifications' }).waitFor();
    return { account, colleague, page };
  };

  test('by a colleague after a flow’s last word notifies once over two tabs, and not after a reload', async () => {
    const { account, colleague, page: first } = await start();
    const second = await first.context().newPage();
    await second.goto(`${api.url}/profile`);
    const { userId } = account;
    const id = await aReadTalk(account, colleague);
    await assign(id, { userId, session: colleague });
    const all = async () => [...(await shownOn(first)), ...(await shownOn(second))];
    await expect.poll(all, { timeout: 20_000 }).toEqual(['A conversation was assigned to you']);
    const next = await aReadTalk(account, colleague);
    await assign(next, { userId, session: colleague });
    await expect.poll(all, { timeout: 20_000 }).toHaveLength(2);
    expect([...(await ofWhich(first)), ...(await ofWhich(second))].toSorted()).toEqual([id, next].toSorted());
    expect((await first.evaluate<number>('recorded.tones')) + (await second.evaluate<number>('recorded.tones'))).toBe(
      4,
    );

    await second.close();
    await first.reload();
    await first.getByRole('region', { name: 'Notifications' }).waitFor();
    const last = await aReadTalk(account, colleague);
    await assign(last, { userId, session: colleague });
    await expect.poll(() => ofWhich(first), { timeout: 20_000 }).toContain(last);
    expect(await ofWhich(first)).toEqual([last]);
  });

  test('by its user themselves notifies nobody', async () => {
    const { account, colleague, page } = await start();
    const { userId, session } = account;
    await assign(await aReadTalk(account, colleague), { userId, session });
    const given = await aReadTalk(account, colleague);
    await assign(given, { userId, session: colleague });
    await expect.poll(() => ofWhich(page), { timeout: 20_000 }).toContain(given);
    expect(await ofWhich(page)).toEqual([given]);
  });
});
