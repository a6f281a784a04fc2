import { join } from 'node:path';
import { z } from 'zod';
import { readRunFile } from '../../shared/embedded/run-file.ts';
import { describeError } from '../failure.ts';
import { ok, wrong, type Finding } from './finding.ts';

const timeoutMs = 5_000;

/** An address as clients reach it: a wildcard to listen on is no address to call. */
const reachable = (host: string): string => {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return name.includes(':') ? `[${name}]` : name;
};

/** Where the instance of a data folder listens: PORT, else the port that it keeps. */
export const instanceUrl = ({
  host,
  dataDir,
  port,
}: {
  host: string;
  dataDir: string;
  port: number | undefined;
}): string => {
  const kept = readRunFile(join(dataDir, 'run', 'http-ports.json'), z.object({ PORT: z.number() }));
  return `http://${reachable(host)}:${port ?? kept?.PORT ?? 8080}`;
};

/** What the service at `url` says of itself. */
export const examineService = async (url: string): Promise<Finding> => {
  const health = `${url}/health/ready`;
  try {
    const answer = await fetch(health, { signal: AbortSignal.timeout(timeoutMs) });
    if (answer.ok) return ok('Service', `${url} is ready`);
    const { error } = z.object({ error: z.object({ message: z.string() }) }).parse(await answer.json());
    return wrong(
      'Service',
      `${health} answers ${answer.status}: ${error.message}`,
      'see the parts named there, and the log',
    );
  } catch (error) {
    const remedy = 'start the service, or correct HOST, PORT or BASE_URL for this command';
    return wrong('Service', `${health} does not answer: ${describeError(error)}`, remedy);
  }
};
