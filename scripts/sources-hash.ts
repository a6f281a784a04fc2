import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const project = fileURLToPath(new URL('../', import.meta.url));

/** One hash of files, and of all files of folders, by their paths below the project: what is made of them is up to date as long as it stays. */
export const hashSources = async (
  paths: readonly string[],
  isSource: (path: string) => boolean = () => true,
): Promise<string> => {
  const hash = createHash('sha256');
  const listed = await Promise.all(paths.map(filesOf));
  for (const file of listed.flat().filter(isSource).toSorted()) {
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(project, file)));
  }
  return hash.digest('hex');
};

const filesOf = async (path: string): Promise<string[]> => {
  if ((await stat(join(project, path))).isFile()) return [path];
  const entries = await readdir(join(project, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length));
};
