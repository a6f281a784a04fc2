import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../packages/verify/src/index.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { noEvidence, recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import { endRound } from '../../src/shared/deliveries/rounds.ts';
import { showId } from '../../src/shared/ids.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { aColleague, setRole } from '../helpers/states/accounts.ts';
import { disableWebhook } from '../helpers/states/webhooks.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { findBarriers } from './helpers/axe.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb();

const { world } = live;
const markup = '<img src=x onerror="document.title=\'taken\'"><script>document.title = "taken"</script>';

const session = await createSession(world.db, await aColleague(world.db, world.accountId, 'editor'));

/** A delivery whose first attempt the endpoint has answered like this; the answers after it succeed. */
const aFailingDelivery = async (secret = "it's a $secret") => {
  const receiver = await startReceiver({
    respond: [{ type: 'respond', status: 500, headers: { 'x-told': markup }, body: markup }, 200],
  });
  await world.aWebhook({ url: receiver.url('/hook?a=1'), secret });
  const deliveryId = (await world.anEvent(`it's ${markup} – ü`)).at(-1) ?? '';
  await world.firstAttempt(deliveryId);
  return { receiver, deliveryId, path: `/settings/logs/delivery/${showId('delivery', deliveryId)}` };
};

test('a failed attempt is explained with what the endpoint answered; retry now delivers it, and a replay sends it again', async () => {
  const { receiver, path } = await aFailingDelivery();
  const page = await web.open('/settings/logs/delivery?status=retrying', { session });
  await page
    .getByRole('row', { name: /Retrying/ })
    .getByRole('link', { name: 'new_message' })
    .click();
  await page.waitForURL(`**${path}`);
  await page.getByText('The endpoint responded 500. This is a server error.').waitFor();
  await page.getByText(/^Attempt 2 of 6 begins\s*in/).waitFor();
  await page.getByRole('timer').waitFor();
  await page.getByText('the webhook is disabled, unless another delivery succeeds first').waitFor();
  const workflow = await page.getByRole('link', { name: 'Open in Temporal' }).getAttribute('href');
  expect(workflow).toMatch(/^http.*\/workflows\/.*delivery/);
  await page.getByText(`POST ${receiver.url('/hook?a=1')}`).waitFor();
  await page.getByRole('group', { name: 'Response body' }).getByText(markup).waitFor();
  await page.getByRole('group', { name: 'Response headers' }).getByText(`x-told: ${markup}`).waitFor();
  await page.getByRole('group', { name: 'Request headers' }).getByText('X-Service-Signature: [redacted]').waitFor();
  expect(await page.title()).not.toBe('taken');
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Retry now' }).click();
  await page.getByText('Extra attempt 1').waitFor();
  await page.getByText('Delivered', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('dialog').getByText('Receivers that discard known IDs ignore it.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText('a replay of this delivery').first().waitFor();
  const [first, , third] = await receiver.waitFor(3);
  expect(third?.rawBody).toEqual(first?.rawBody);
  await receiver.close();
});

test('a delivery whose six attempts failed says why its webhook is active all the same, and that it is disabled when it is', async () => {
  const { db, accountId } = world;
  const webhookId = await world.aWebhook({ url: 'https://receiver.example/hook' });
  const deliveryId = await aDelivery(db, { accountId, webhookId, status: 'pending' });
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const key = { deliveryId, round: 1, kind: 'scheduled', number } as const;
    const failed = { outcome: 'failed', reason: 'status', statusCode: 500, evidence: noEvidence } as const;
    await recordAttempt(db, key, { ...failed, durationMs: 1, startedAt: new Date(), generation: 1 });
  }
  await endRound(db, { deliveryId, round: 1 }, 'failed');
  const page = await web.open(`/settings/logs/delivery/${showId('delivery', deliveryId)}`, { session });
  await page.getByText('All six attempts failed. The webhook stays active: another').waitFor();
  await disableWebhook(db, webhookId);
  await page.reload();
  await page.getByText('All six attempts failed. The webhook is disabled. Re-enable it on its page').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('what is sent and refused says so beside the page, and its button can be pressed again', async () => {
  const userId = await aColleague(world.db, world.accountId, 'editor');
  const { receiver, path } = await aFailingDelivery();
  const page = await web.open(path, { session: await createSession(world.db, userId) });
  const retry = page.getByRole('button', { name: 'Retry now' });
  await retry.waitFor();
  await setRole(world.db, userId, 'agent');
  await retry.click();
  const told = page.getByRole('alert').filter({ hasText: 'Request refused' });
  await told.getByText('This needs the role editor').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await setRole(world.db, userId, 'editor');
  await retry.click();
  await page.getByText('Delivered', { exact: true }).waitFor();
  await receiver.close();
});

test('what is told of one thing after another lies on no button of the page', async () => {
  const receiver = await startReceiver({ respond: 500 });
  await world.aWebhook({ url: receiver.url('/hook') });
  const deliveryId = (await world.anEvent('Anybody?')).at(-1) ?? '';
  await world.firstAttempt(deliveryId);
  const page = await web.open(`/settings/logs/delivery/${showId('delivery', deliveryId)}`, { session });
  const told = page.getByText('Extra attempt started');
  for (const number of [1, 2, 3]) {
    await page.getByRole('button', { name: 'Retry now' }).click({ timeout: 2_000 });
    await told.last().waitFor();
    await page.getByText(`Extra attempt ${number}`).waitFor();
  }
  for (const name of ['Copy as curl', 'Cancel delivery', 'Retry now'])
    await page.getByRole('button', { name }).click({ trial: true, timeout: 2_000 });
  expect(receiver.requests.length).toBeGreaterThanOrEqual(4);
  await receiver.close();
});

test('a cancelled delivery is not sent again', async () => {
  const { receiver, path, deliveryId } = await aFailingDelivery();
  const page = await web.open(path, { session });
  await page.getByRole('button', { name: 'Cancel delivery' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  expect((await world.delivery(deliveryId)).status).toBe('cancelled');
  expect(receiver.requests.length).toBe(1);
  await receiver.close();
});

test.for(["it's a $secret", 'whsec_AP8QnWNwBvf3sRfSAQIDBAUGBwgJCgsM/+8='])(
  'the curl of a delivery is copied, sends the same bytes, is taken by a receiver that checks both signatures, and holds no secret: %s',
  async (secret) => {
    const { receiver, path } = await aFailingDelivery(secret);
    const page = await web.open(path, { session, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const dialog = page.getByRole('dialog', { name: 'The same request as curl' });
    await dialog.getByText('Command copied').waitFor();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(await dialog.getByRole('region').textContent()).toBe(command);
    expect(command).not.toContain(secret.slice(-8));
    const authority = join(tempFolder('curl'), 'authority.pem');
    await writeFile(authority, receiver.caPem);
    await promisify(execFile)('sh', ['-c', command], {
      env: { ...process.env, SECRET: secret, CURL_CA_BUNDLE: authority },
    });
    const [first, second] = await receiver.waitFor(2);
    if (!second) throw new Error('nothing came');
    expect(second.rawBody).toEqual(first?.rawBody);
    expect(second.path).toBe('/hook?a=1');
    const { rawBody: body, headers } = second;
    verifyWebhook({ body, headers, secrets: secret, toleranceSeconds: 300 });
    expect(headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await rm(dirname(authority), { recursive: true });
    await receiver.close();
  },
);

test('an agent sees how a delivery went, and neither what was sent or answered nor what editors may do', async () => {
  const session = await createSession(world.db, await aColleague(world.db, world.accountId, 'agent'));
  const { receiver, path } = await aFailingDelivery();
  const page = await web.open(path, { session });
  await page.getByText('The endpoint responded 500.').waitFor();
  await page.getByText('Editors and owners also see headers and bodies.').first().waitFor();
  expect(await page.getByText('onerror').count()).toBe(0);
  for (const name of ['Retry now', 'Cancel delivery', 'Copy as curl', 'Replay'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await receiver.close();
});
