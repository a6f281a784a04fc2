import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** The file's content, or undefined when it is missing or not what the schema says: what a crash or a hand cut off is no reason to stay down. */
export function readRunFile<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> | undefined {
  try {
    return parseRunFile(readFileSync(path, 'utf8'), schema);
  } catch {
    return undefined;
  }
}

export function parseRunFile<Schema extends z.ZodType>(
  content: string | undefined,
  schema: Schema,
): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(content ?? '')).data;
  } catch {
    return undefined;
  }
}

/** Replaces the file as a whole, so that a reader sees the old content or the new one. */
export function writeRunFile(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}
