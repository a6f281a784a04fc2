import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { anAccount, insertWebhook } from '../helpers/accounts.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { startServing } from '../helpers/serving-process.ts';
import { startDevServer } from '../helpers/temporal.ts';

const health = z.object({ temporal: z.string(), starts: z.string() });

test('a service whose namespace was deprecated under it says that Temporal is down, and after a while that no start succeeds', async () => {
  const [database, temporal] = await Promise.all([createTestDatabase(), startDevServer()]);
  onTestFinished(async () => {
    await Promise.all([temporal.stop(), database.drop()]);
  });
  const parley = await startServing({
    database: database.target,
    temporal: temporal.address,
  });
  onTestFinished(parley.stop);
  const deps = { db: database.db, secrets: createSecrets(parley.masterKey) };
  const { accountId, apiKey } = await anAccount(deps);
  await insertWebhook(deps, { accountId, url: 'https://receiver.example/', events: ['new_contact'] });
  const ready = async () => {
    const answer = await fetch(`${parley.url}/health/ready`);
    return { status: answer.status, ...health.parse(await answer.json()) };
  };
  expect(await ready()).toEqual({ status: 200, temporal: 'up', starts: 'up' });

  await temporal.nativeConnection.workflowService.deprecateNamespace({ namespace: 'default' });
  const anEvent = () =>
    fetch(`${parley.url}/v1/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
  await vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 503, temporal: 'down' }), 60_000);
  await vi.waitFor(
    async () => {
      expect((await anEvent()).status).toBe(201);
      expect(await ready()).toMatchObject({ status: 503, starts: 'down' });
    },
    { timeout: 35_000, interval: 1_000 },
  );
  const metrics = await parley.metrics();
  expect(metrics).toMatch(/^parley_temporal_up 0$/m);
  expect(metrics).toMatch(/^parley_starts_up 0$/m);
});
