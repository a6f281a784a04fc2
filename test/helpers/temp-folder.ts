import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { findProcess, stopProcess } from '../../src/shared/platform/embedded/processes.ts';
import { readRunFile } from '../../src/shared/platform/embedded/run-file.ts';

/** A new folder that only this user can enter. Whoever asks removes it; where that does not come to pass, the next run does. */
export const tempFolder = (name: string): string => mkdtempSync(join(tmpdir(), `parley-test-${process.pid}-${name}-`));

const identity = z.object({ pid: z.number(), startTime: z.string() });
const note = z.union([identity, z.object({ process: identity }).transform(({ process }) => process)]);

/** Removes the folders of test processes that are no more, and ends the servers that a killed service has left on them. */
export const removeLeftFolders = async (): Promise<void> => {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^parley-test-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || findProcess(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    for (const file of globSync('{,data/}run/{postgres,temporal}.json', { cwd: folder })) {
      const server = readRunFile(join(folder, file), note);
      if (server) await stopProcess(server, { signals: ['SIGINT', 'SIGKILL'], graceMs: 5_000 });
    }
    rmSync(folder, { recursive: true, force: true });
  }
};
