import { existsSync, globSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { findProcess, stopProcess } from '../../src/shared/platform/embedded/processes.ts';
import { readRunFile } from '../../src/shared/platform/embedded/run-file.ts';

/** Linux keeps its files in memory. */
const inMemory = '/dev/shm';

/** What the servers of a run need, and some more, in bytes. */
const enough = 4 * 2 ** 30;

const roomInMemory = (): number => {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return Math.min(bavail * bsize, freemem());
  } catch {
    return 0;
  }
};

/**
 * In memory where it has room and nobody named a place: PostgreSQL makes a thousand files for a database, for which a disk's file system takes
 * ten times the processor time.
 */
const root = process.env['TMPDIR'] === undefined && roomInMemory() >= enough ? inMemory : tmpdir();

/** A new folder that only this user can enter. Whoever asks removes it; where that does not come to pass, the next run does. */
export const tempFolder = (name: string): string => mkdtempSync(join(root, `parley-test-${process.pid}-${name}-`));

const entriesOf = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];

const identity = z.object({ pid: z.number(), startTime: z.string() });
const note = z.union([identity, z.object({ process: identity }).transform(({ process }) => process)]);

/** Removes the folders of test processes that are no more, and ends the servers that a killed service has left on them. */
export const removeLeftFolders = async (): Promise<void> => {
  for (const folder of [tmpdir(), inMemory].flatMap(entriesOf)) {
    const [, pid] = /^parley-test-(\d+)-/.exec(basename(folder)) ?? [];
    if (pid === undefined || findProcess(Number(pid))) continue;
    for (const file of globSync('{,data/}run/{postgres,temporal}.json', { cwd: folder })) {
      const server = readRunFile(join(folder, file), note);
      if (server) await stopProcess(server, { signals: ['SIGINT', 'SIGKILL'], graceMs: 5_000 });
    }
    rmSync(folder, { recursive: true, force: true });
  }
};
