import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { keepMetricsPort, keptPorts } from '../../src/service/kept-ports.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const aDataFolder = (): string => {
  const folder = tempFolder('ports');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

const portsOn = async (folder: string, env: Record<string, string> = {}) => {
  const { env: found, release } = await keptPorts(env, folder);
  await release();
  return { PORT: found['PORT'], METRICS_PORT: found['METRICS_PORT'] };
};

test('the metrics port that the service took instead of a taken one is the next start’s as well, and PORT stays', async () => {
  const folder = aDataFolder();
  const { PORT } = await portsOn(folder);
  keepMetricsPort({}, folder, 40_001);
  expect(await portsOn(folder)).toEqual({ PORT, METRICS_PORT: '40001' });
});

test('one that the environment names is used and not kept', async () => {
  const folder = aDataFolder();
  const kept = await portsOn(folder);
  const env = { METRICS_PORT: '40002' };
  keepMetricsPort(env, folder, 40_003);
  expect((await portsOn(folder, env)).METRICS_PORT).toBe('40002');
  expect(await portsOn(folder)).toEqual(kept);
});
