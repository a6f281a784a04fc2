import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a PostgreSQL notes of itself in its data folder. Empty before it has written that, and after a stop. */
type PidFile = { pid?: number; socketDir?: string; status?: string };

export function readPidFile(clusterDir: string): PidFile {
  try {
    const [pid, , , , socketDir = '', , , status = ''] = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split(
      '\n',
    );
    return { pid: Number(pid), socketDir, status: status.trim() };
  } catch {
    return {};
  }
}
