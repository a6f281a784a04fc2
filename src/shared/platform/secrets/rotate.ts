import { stat } from 'node:fs/promises';
import type { Database, Sql } from '../db/connect.ts';
import { RequestError } from '../../errors.ts';
import { keyFilesOf, listReplacedKeyFiles, removeReplacedKeyFiles, replaceKeyFile } from './key-files.ts';
import type { Secrets } from './seal.ts';
import { countSealed, resealOnce, type Resealed, type SealedCount } from './sealed-rows.ts';

type Deps = { sql: Sql; secrets: Secrets };

/** The advisory lock of a rotation. The number is the same in every version. */
const rotationLock = 7_205_760;

/**
 * How long a replaced key file is kept at least, in ms. A request that has sealed a secret just before may take some minutes to commit it, and
 * the secret then needs that key.
 */
const settleMs = 600_000;

/**
 * Seals every value anew that was sealed with another key than the current one, while all processes go on. Answers how many, and which values do
 * not open with the key that they name. Those, and values that no given key opens, stay as they are. Safe to stop at any point and to run
 * again.
 */
export const resealAll = async ({ sql, secrets }: Deps): Promise<Resealed> => {
  let count = 0;
  for (;;) {
    const resealed = await resealOnce(sql, secrets);
    count += resealed.count;
    // Once more, for values that a process has sealed with the old key meanwhile.
    if (resealed.count === 0) return { count, failed: resealed.failed };
  }
};

/**
 * Replaces the key of an embedded installation and answers true. Answers false when a replacement is unfinished, which then continues. Throws
 * `conflict` while the previous key may still be needed.
 */
export const beginKeyFileRotation = async ({ sql, secrets }: Deps, dataDir: string): Promise<boolean> => {
  const { previous, unknown } = total(await countSealed(sql, secrets.keys));
  if (unknown > 0) {
    throw new RequestError(
      'conflict',
      `${unknown} stored secrets open with no key that is here: parley doctor says more.`,
    );
  }
  if (previous > 0) return false;
  if ((await listReplacedKeyFiles(dataDir)).length > 0) await requireSettled(dataDir);
  await replaceKeyFile(dataDir);
  return true;
};

/**
 * Removes the replaced keys from the data folder, and answers whether there was one. Throws `conflict` while a value is sealed with one of them,
 * or may still be.
 */
export const forgetPreviousKeyFile = async ({ sql, secrets }: Deps, dataDir: string): Promise<boolean> => {
  if ((await listReplacedKeyFiles(dataDir)).length === 0) return false;
  const { previous, unknown } = total(await countSealed(sql, secrets.keys));
  if (previous + unknown > 0) {
    const message = `${previous + unknown} stored secrets are not sealed with the current key: run parley secrets rotate.`;
    throw new RequestError('conflict', message);
  }
  // Checked last, right before the removal, to see a key that another rotation has made after the counting.
  await requireSettled(dataDir);
  await removeReplacedKeyFiles(dataDir);
  return true;
};

const requireSettled = async (dataDir: string): Promise<void> => {
  const { mtime: since } = await stat(keyFilesOf(dataDir).current);
  if (Date.now() - since.getTime() >= settleMs) return;
  const message = `The master key was replaced at ${since.toISOString()}; the one before it is kept for ten minutes at least.`;
  throw new RequestError('conflict', message);
};

/**
 * Runs `work` under the lock of a rotation. Throws `conflict` when another rotation has it. When its connection is lost, the lock is released
 * while the work goes on. Two rotations at once do no harm: a value is replaced only if it is as it was read, and a key file only after it has
 * settled.
 */
export const rotatingAlone = async <Result>(db: Database, work: () => Promise<Result>): Promise<Result> => {
  const connection = await db.reserve();
  try {
    const [lock] = await connection<{ mine: boolean }[]>`select pg_try_advisory_lock(${rotationLock}) as mine`;
    if (!lock?.mine) throw new RequestError('conflict', 'The master key is being rotated by another command.');
    return await work();
  } finally {
    await connection`select pg_advisory_unlock(${rotationLock})`.catch(() => {});
    connection.release();
  }
};

/** Sums over all tables. */
export const total = (counts: readonly SealedCount[]): Omit<SealedCount, 'table'> => {
  const sum = (field: 'current' | 'previous' | 'unknown') => counts.reduce((all, count) => all + count[field], 0);
  return { current: sum('current'), previous: sum('previous'), unknown: sum('unknown') };
};
