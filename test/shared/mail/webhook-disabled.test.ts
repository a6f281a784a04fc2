import { expect, test } from 'vitest';
import type { DisabledWebhook } from '../../../src/shared/deliveries/disable.ts';
import { readId } from '../../../src/shared/ids.ts';
import { createWebhookDisabledMail } from '../../../src/shared/mail/webhook-disabled.ts';

const id = 'wh_01h455vb4pex5vsknk084sn02q';

const disabled: DisabledWebhook = {
  webhookId: readId('webhook', id),
  accountId: '0188a5eb-5a6f-7e1b-b4aa-1a0b2c3d4e5f',
  url: 'https://hooks.example/parley?token=0123456789abcdef',
  generation: 3,
  recipient: 'ada@example.com',
  recipientName: 'Ada',
  disabledAt: new Date('2026-01-02T03:20:05.678Z'),
  failingSince: new Date('2026-01-02T03:04:05Z'),
  lastFailure: { reason: 'status', statusCode: 503 },
};

const mailOf = (changes: Partial<DisabledWebhook> = {}) =>
  createWebhookDisabledMail(
    { ...disabled, ...changes },
    { baseUrl: 'https://app.parley.example', apiUrl: 'https://api.parley.example' },
  );

test('the mail of a disabling says what happened, since when, and which page, command and request make the webhook active again', () => {
  const { body, ...mail } = mailOf();
  expect(mail).toEqual({
    accountId: disabled.accountId,
    kind: 'webhook_disabled',
    dedupKey: `webhook_disabled/${disabled.webhookId}/3`,
    recipient: 'ada@example.com',
    subject: 'Your webhook to hooks.example was disabled',
  });
  const lines = body.split('\n').map((line) => line.trim());
  const said = body.replaceAll('\n', ' ');
  expect(said).toContain(
    'was disabled at 2026-01-02 03:20:05 UTC. All six attempts of a delivery have failed since 2026-01-02 03:04:05 UTC',
  );
  expect(said).toContain('Last failure: HTTP 503.');
  expect(lines).toContain(`https://app.parley.example/settings/webhooks/${id}`);
  expect(lines).toContain(`curl -X POST https://api.parley.example/v1/webhooks/${id}/re-enable \\`);
  expect(body).toContain(`-d '{"replay":{"type":"all"}}'`);
  expect(lines).toContain(`parley webhooks re-enable ${id} --replay all`);
});

test.for([
  ['https://hooks.example/parley?token=s3cr3t', 'hooks.example'],
  ['https://hooks.example/parley?s3cr3t', 'hooks.example'],
  ['https://hooks.example/s3cr3t', 'hooks.example'],
  ['https://hooks.example/in/s3cr3t/events', 'hooks.example'],
  ['https://hooks.example/in;key=s3cr3t', 'hooks.example'],
  ['https://hooks.example/#s3cr3t', 'hooks.example'],
  ['https://ada:s3cr3t@hooks.example:8443/', 'hooks.example:8443'],
  ['https://s3cr3t@hooks.example/', 'hooks.example'],
  ['https://s3cr3t0123456789.m.hooks.example/', '….m.hooks.example'],
  ['https://S3CR3T0123456789.m.hooks.example/', '….m.hooks.example'],
  ['https://s3cr3t0123456789\u3002m\u3002hooks\u3002example/', '….m.hooks.example'],
  ['https://s3cr3t0123456789%2Em.hooks.example/', '….m.hooks.example'],
  ['https://acme.eu.hooks.example/', 'acme.eu.hooks.example'],
  ['https://198.51.100.7:8443/s3cr3t', '198.51.100.7:8443'],
] as const)('of the url %s the mail has the host alone, without what may be a token: %s', ([url, host]) => {
  const { subject, body } = mailOf({ url });
  expect(subject).toBe(`Your webhook to ${host} was disabled`);
  expect(body).toContain(`your webhook ${id} to ${host}\nwas disabled at`);
  expect(`${subject} ${body}`.toLowerCase()).not.toContain('s3cr3t');
});

test.each<[DisabledWebhook['lastFailure'], string]>([
  [{ reason: 'timeout', statusCode: null }, 'no response within 10 seconds'],
  [{ reason: 'dns', statusCode: null }, 'no response (dns)'],
  [null, 'no response (unknown)'],
])('the mail says what the last failure was: %j', (lastFailure, words) => {
  expect(mailOf({ lastFailure }).body).toContain(`Last failure: ${words}.`);
});
