import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findBinaries } from '../../../../scripts/binaries.mjs';
import { startTemporal, type TemporalOptions } from '../../../../src/shared/platform/embedded/temporal.ts';
import { readTemporalRun } from '../../../../src/shared/platform/embedded/temporal-run.ts';
import { searchAttributeNames } from '../../../../src/shared/platform/temporal/search-attributes.ts';
import { aLog, aTempDir } from './temp-dir.ts';

function startFor(dataDir: string, options: Partial<TemporalOptions> = {}) {
  const { temporal: binary } = findBinaries();
  if (binary === undefined) throw new Error('run node scripts/bootstrap.mjs --for test');
  return startTemporal({ dataDir, log: () => {}, binary, durable: false, ...options });
}

async function listAttributes(address: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const answer = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
    return Object.keys(answer.customAttributes).sort();
  } finally {
    await connection.close();
  }
}

/** Somebody else's server on this port. */
async function aStranger(port: number): Promise<{ close(): void }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { close: () => server.close() };
}

describe("the embedded Temporal server's ports", () => {
  test('a stranger on a kept one is told, with who it is and what to do', async () => {
    const dataDir = aTempDir();
    const first = await startFor(dataDir);
    await first.stop();
    const port = Number(first.address.split(':')[1]);
    const stranger = await aStranger(port);
    const failed = startFor(dataDir);
    await expect(failed).rejects.toThrow(`port ${port} (Temporal's grpc port) is taken by pid ${process.pid}`);
    await expect(failed).rejects.toThrow(`remove ${join(dataDir, 'run', 'temporal.json')} to have other ports chosen`);
    stranger.close();
    const again = await startFor(dataDir);
    expect(again.address).toBe(first.address);
    await again.stop();
  });

  test('are chosen anew when the note about them is damaged', async () => {
    const dataDir = aTempDir();
    mkdirSync(join(dataDir, 'run'));
    writeFileSync(join(dataDir, 'run', 'temporal.json'), '{"ports":{"grpc":99999999}}');
    const server = await startFor(dataDir);
    expect(await listAttributes(server.address)).toHaveLength(searchAttributeNames.length);
    await server.stop();
  });
});

describe('a namespace that somebody has deprecated', () => {
  test('is replaced at the next start, which says so and keeps the file of before', async () => {
    const dataDir = aTempDir();
    const first = await startFor(dataDir);
    const stateOf = async (address: string, deprecate = false): Promise<unknown> => {
      const connection = await Connection.connect({ address });
      const { workflowService } = connection;
      if (deprecate) await workflowService.deprecateNamespace({ namespace: 'default' });
      const { namespaceInfo } = await workflowService.describeNamespace({ namespace: 'default' });
      await connection.close();
      return namespaceInfo?.state;
    };
    expect(await stateOf(first.address, true)).toBe(2);
    await first.stop();

    const { lines, log } = aLog();
    const again = await startFor(dataDir, { log });
    onTestFinished(() => again.stop());
    expect(again.address).toBe(first.address);
    expect(await stateOf(again.address)).toBe(1);
    expect(await listAttributes(again.address)).toHaveLength(searchAttributeNames.length);
    expect(lines).toEqual([
      expect.stringMatching(/^Temporal's namespace default was deprecated .*temporal\.db\.deprecated$/),
    ]);
    expect(readdirSync(join(dataDir, 'temporal'))).toContain('temporal.db.deprecated');
  });
});

test('the embedded Temporal server keeps a thousand workflows in memory, and few workers that wait for tasks', async () => {
  const dataDir = aTempDir();
  const server = await startFor(dataDir);
  onTestFinished(() => server.stop());
  const port = readTemporalRun(dataDir)?.ports.metrics;
  // A gauge is 0 before it is first told.
  const metric = async (line: RegExp): Promise<number> => {
    const told = await vi.waitUntil(
      async () => line.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())?.[1],
      { timeout: 60_000 },
    );
    return Number(told);
  };
  expect(await metric(/^cache_size\{cache_type="mutablestate".*\} ([1-9]\S*)$/m)).toBe(2_048);
  // With the server's own settings they are about 3,000.
  expect(await metric(/^num_goroutines\{.*\} ([1-9]\S*)$/m)).toBeLessThan(1_200);
});
