import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Settings that a file may give instead, whose path is in `<name>_FILE`. More people and programs can see an environment. */
const fileSettings = ['DATABASE_URL', 'MASTER_KEY', 'MASTER_KEY_PREVIOUS', 'SMTP_URL'] as const;

/** The most bytes of such a file: more than any of the settings has. */
const fileBytes = 64 * 1024;

type Settings = Readonly<Record<string, string | undefined>>;

/**
 * The settings with the contents of the files, and the problems of the files. An empty variable counts as not set. White space around a file's
 * content is removed, because editors end it with a line break.
 */
export const readSecretFiles = (given: Settings): { settings: Settings; problems: string[] } => {
  const problems: string[] = [];
  const read = fileSettings.flatMap((name): [string, string][] => {
    const path = given[`${name}_FILE`];
    if (!path) return [];
    if (given[name]) {
      problems.push(`${name} and ${name}_FILE are both given: leave one of them out`);
      return [];
    }
    const content = readSecret(path);
    if (content) return [[name, content]];
    problems.push(`${name}_FILE ${content === '' ? 'is empty' : 'cannot be read'} (${resolve(path)})`);
    return [];
  });
  return { settings: { ...given, ...Object.fromEntries(read) }, problems };
};

const readSecret = (path: string): string | undefined => {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= fileBytes ? readFileSync(path, 'utf8').trim() : undefined;
  } catch {
    return undefined;
  }
};
