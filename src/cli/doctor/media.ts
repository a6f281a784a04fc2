import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { mediaFolder } from '../../shared/media/file-store.ts';
import { codeOf } from '../../shared/platform/error-code.ts';
import { ok, wrong, type Finding } from './finding.ts';

const part = 'Files of messages';

/** Whether this user can write where files of messages are. */
export const examineMedia = async (dataDir: string): Promise<Finding> => {
  const folder = mediaFolder(dataDir);
  const first = await firstThatIs(folder, dataDir);
  if (first === undefined) return ok(part, `${folder} is made with the first file`);
  try {
    await access(first, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(part, `${folder} can be written`);
  } catch {
    return wrong(part, `this user cannot write ${first}`, 'give DATA_DIR a folder that every process can write');
  }
};

const firstThatIs = async (...folders: readonly string[]): Promise<string | undefined> => {
  for (const folder of folders) {
    try {
      await stat(folder);
      return folder;
    } catch (error) {
      // Another failure than that it is not there is found by who tries to write.
      if (codeOf(error) !== 'ENOENT') return folder;
    }
  }
  return undefined;
};
