import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import type { Variant } from '../../src/shared/facts/names.ts';
import { noEvidence, recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import { topicsOf } from '../../src/shared/facts/topics.ts';
import { endRound } from '../../src/shared/deliveries/rounds.ts';
import { showId } from '../../src/shared/ids.ts';
import { signDelivery } from '../../src/shared/signing/signature.ts';
import { forVariant } from '../../src/web/pages/webhooks/receivers/for-variant.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startReceiver, type Script } from '../helpers/receiver.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { disableWebhook } from '../helpers/states/webhooks.ts';
import { findBarriers } from './helpers/axe.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb();

const { world } = live;
const { db, accountId } = world;
const anEditor = async () => createSession(db, await aColleague(db, accountId, 'editor'));
const markup = '<img src=x onerror="document.title=\'taken\'">';
const secret = 'a secret of the caller';

const aWebhook = async (respond: Script, variant: Variant = 'api') => {
  const receiver = await startReceiver({ respond });
  onTestFinished(() => receiver.close());
  const id = await world.aWebhook({ url: receiver.url('/hook'), variant, secret, events: ['tag_applied'] });
  return { receiver, id, path: `/settings/webhooks/${showId('webhook', id)}` };
};

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a test event is sent from the page of a webhook, its outcome shown as it happens, and it stands among the last deliveries', async () => {
  const { receiver, id, path } = await aWebhook([{ type: 'respond', status: 500, body: markup }, 200]);
  const page = await web.open(path, { session: await anEditor(), colorScheme: 'dark' });
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
  const part = section(page, 'Test event');
  expect(await part.getByRole('combobox', { name: 'Event' }).inputValue()).toBe('tag_applied');
  await part.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: 'order_placed' }).click();
  await part.getByRole('button', { name: 'Send test event' }).click();

  await part.getByText('Test event not delivered').waitFor();
  await part.getByText('The endpoint responded 500. This is a server error.').waitFor();
  // However long it took.
  await part.getByText(/^[\d.,]+ (?:ms|s|min)$/).waitFor();
  await part.getByRole('group', { name: 'Response' }).getByText(markup).waitFor();
  expect(await page.title()).not.toBe('taken');
  const list = page.getByRole('table', { name: 'Last deliveries' });
  await list.getByRole('row', { name: /order_placed.*Test.*Failed/ }).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await part.getByRole('button', { name: 'Send test event' }).click();
  await part.getByText('Test event delivered').waitFor();
  expect(receiver.requests.map(({ rawBody }) => String(rawBody).includes('"event":"order_placed"'))).toEqual([
    true,
    true,
  ]);
  // What happens meanwhile is shown without being loaded again.
  const meanwhile = await aDelivery(db, { accountId, webhookId: id, status: 'delivered' });
  live.api.deps.tellTopics(topicsOf([accountId], 'deliveries'));
  await list.locator(`a[href$="${showId('delivery', meanwhile)}"]`).waitFor();
  const log = await page.getByRole('link', { name: 'Open log' }).getAttribute('href');
  expect(log).toBe(`/settings/logs/delivery?status=all&webhook_id=${path.split('/').at(-1)}`);
  await part.getByRole('link', { name: 'Open delivery' }).click();
  await page.getByRole('heading', { name: 'order_placed: delivery' }).waitFor();
});

test('a signature is explained: that it is right, which mistake was made, and that it is too old', async () => {
  const { path } = await aWebhook(200);
  const page = await web.open(path, { session: await anEditor() });
  const part = section(page, 'Check a signature');
  const body = '{"event":"new_contact","id":"dlv_1"}';
  const lately = Math.floor(Date.now() / 1000) - 3_600;
  const headers = signDelivery({ secret, body: Buffer.from(body), id: 'dlv_1', timestampSeconds: lately });
  const check = async (given: string, signature: string) => {
    await part.getByRole('textbox', { name: 'Body' }).fill(given);
    await part.getByRole('textbox', { name: 'Signature' }).fill(signature);
    await part.getByRole('button', { name: 'Check' }).click();
  };
  const right = headers['X-Service-Signature'] ?? '';
  await check(body, right);
  await part.getByText('This is the right X-Service-Signature for this body.').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await part.getByRole('textbox', { name: 'Body' }).fill(`${body} `);
  await part.getByText('This is the right').waitFor({ state: 'detached' });
  await check(JSON.stringify(JSON.parse(body), null, 2), right.toUpperCase());
  await part.getByText('Almost: fix this').waitFor();
  await part.getByText('The body was parsed and written again.').waitFor();
  await part.getByText('Use lower case.').waitFor();
  await check(`${body}<b>`, right);
  await part.getByText('Secret: the one from its registration').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await part.getByRole('textbox', { name: 'Body' }).fill(body);
  await part.getByRole('textbox', { name: 'Signature' }).fill(headers['webhook-signature'] ?? '');
  // It covers more than the body: two fields more appear.
  await part.getByLabel('webhook-id').fill('dlv_1');
  await part.getByLabel('webhook-timestamp').fill(String(lately));
  await part.getByRole('button', { name: 'Check' }).click();
  await part.getByText('This is the right webhook-signature for this body.').waitFor();
  await part.getByText('older than five minutes').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('the page has whole receivers in three languages, as the variant of its webhook needs them, and works on a phone', async () => {
  const folder = fileURLToPath(new URL('../../src/web/pages/webhooks/receivers/', import.meta.url));
  for (const variant of ['api', 'dashboard'] as const) {
    const { path } = await aWebhook(200, variant);
    const page = await web.open(path, { session: await anEditor(), viewport: { width: 360, height: 740 } });
    const part = section(page, 'Sample receiver');
    await part.getByText(variant === 'api' ? 'Respond 200 within' : 'with the value to a challenge').waitFor();
    for (const [language, file] of [
      ['Node', 'receiver.mjs'],
      ['Python', 'receiver.py'],
      ['PHP', 'receiver.php'],
    ] as const) {
      await part.getByRole('tab', { name: language }).click();
      const code = part.getByRole('group', { name: `Receiver in ${language}` });
      await code.waitFor();
      expect(await code.textContent()).toBe(forVariant(await readFile(`${folder}${file}`, 'utf8'), variant));
      expect((await code.textContent())?.includes('challenge')).toBe(variant === 'dashboard');
    }
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(360);
    expect(await findBarriers(page)).toEqual([]);
  }
});

test('before a disabled webhook is re-enabled, the page counts what would be sent again, of all and since a time', async () => {
  const { receiver, id, path } = await aWebhook(200);
  const failedId = await aDelivery(db, { accountId, webhookId: id, status: 'pending' });
  const failed = { outcome: 'failed', reason: 'status', statusCode: 503, evidence: noEvidence } as const;
  const key = { deliveryId: failedId, round: 1, kind: 'scheduled', number: 1 } as const;
  await recordAttempt(db, key, { ...failed, durationMs: 1, startedAt: new Date(), generation: 1 });
  await endRound(db, { deliveryId: failedId, round: 1 }, 'failed');
  await disableWebhook(db, id);
  for (let made = 0; made < 3; made += 1) await aDelivery(db, { accountId, webhookId: id, status: 'parked' });
  const page = await web.open(path, { session: await anEditor(), timezoneId: 'America/New_York' });
  const part = section(page, 'Disabled after failures');
  await part.getByText(/^Last failure: The endpoint responded 503\./).waitFor();
  const itsDelivery = part.getByRole('link', { name: 'Open delivery' });
  expect(await itsDelivery.getAttribute('href')).toBe(`/settings/logs/delivery/${showId('delivery', failedId)}`);
  await page.getByRole('heading', { name: `Webhook to 127.0.0.1:${receiver.port}/hook`, level: 1 }).waitFor();
  const parked = page.getByRole('definition').getByRole('link', { name: '3', exact: true });
  expect(await parked.getAttribute('href')).toBe(
    `/settings/logs/delivery?status=parked&webhook_id=${showId('webhook', id)}`,
  );
  // More than what is parked: what failed since the last success is sent, too.
  await part.getByText('4 deliveries would be sent.').waitFor();
  await part.getByText('3 parked, 1 failed and 0 dropped.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await part.getByRole('radio', { name: 'Replay events parked since a time' }).check();
  await part.getByRole('textbox', { name: 'Since' }).fill('2026-01-01T10:00');
  await part.getByText('3 deliveries would be sent.').waitFor();
  await aDelivery(db, { accountId, webhookId: id, status: 'parked' });
  live.api.deps.tellTopics(topicsOf([accountId], 'deliveries'));
  await part.getByText('4 deliveries would be sent.').waitFor();
  await part.getByRole('textbox', { name: 'Since' }).fill('2099-01-01T10:00');
  await part.getByText('No matching deliveries').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await section(page, 'Test event').getByText('Webhooks that are not active get no events').waitFor();
  expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);

  await part.getByRole('textbox', { name: 'Since' }).fill('2026-01-01T10:00');
  await part.getByRole('button', { name: 'Re-enable' }).click();
  await section(page, 'Re-enabled').getByText('Endpoint healthy. The webhook is active.').waitFor();
  // It has consented to nothing: only webhooks of the dashboard are asked.
  await page.getByText('Healthy since').waitFor();
  expect(await page.getByText('Verified', { exact: true }).count()).toBe(0);
  // The health check, and what is parked: what failed before was not parked.
  const [, ...replayed] = await receiver.waitFor(5);
  expect(replayed).toHaveLength(4);
});

test('a webhook is re-enabled without a replay, and what is parked stays so', async () => {
  const { receiver, id, path } = await aWebhook(200);
  await disableWebhook(db, id);
  const parkedId = await aDelivery(db, { accountId, webhookId: id, status: 'parked' });
  const page = await web.open(path, { session: await anEditor() });
  const part = section(page, 'Disabled after failures');
  await part.getByRole('radio', { name: 'Replay nothing now' }).check();
  await part.getByRole('button', { name: 'Re-enable' }).click();
  await page.getByText('Nothing is replayed.').waitFor();
  await page.getByText('Active', { exact: true }).waitFor();
  expect((await world.delivery(parkedId)).status).toBe('parked');
  // It was asked whether it is healthy.
  expect(receiver.requests).toHaveLength(1);
});
