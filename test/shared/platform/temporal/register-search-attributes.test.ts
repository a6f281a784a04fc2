import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { registerSearchAttributes } from '../../../../src/shared/platform/temporal/register-search-attributes.ts';
import { searchAttributeNames } from '../../../../src/shared/platform/temporal/search-attributes.ts';
import { startDevServer, type DevServer } from '../../../helpers/temporal.ts';

let temporal: DevServer;

beforeAll(async () => {
  temporal = await startDevServer();
});

afterAll(() => temporal.stop());

test('a namespace that lacks some of our search attributes gets them, and a second time changes nothing', async () => {
  const namespace = 'lacking';
  const { nativeConnection: connection } = temporal;
  await promisify(execFile)(temporal.binary, [
    'operator',
    'namespace',
    'create',
    namespace,
    '--address',
    temporal.address,
  ]);
  const names = async () => {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return Object.keys(customAttributes);
  };
  // A new namespace is known everywhere only after a moment.
  await vi.waitFor(() => registerSearchAttributes(connection, namespace), { timeout: 60_000, interval: 100 });
  expect(await names()).toEqual(expect.arrayContaining([...searchAttributeNames]));
  await registerSearchAttributes(connection, namespace);
});
