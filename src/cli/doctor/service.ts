import { join } from 'node:path';
import { z } from 'zod';
import { readRunFile } from '../../shared/platform/embedded/run-file.ts';
import { parseId } from '../../shared/ids.ts';
import { describeError } from '../failure.ts';
import { ok, wrong, type Finding } from './finding.ts';

const part = 'Service';
const timeoutMs = 5_000;

/** The port that the installation of a data folder keeps for starts without PORT, if it was ever started. */
export const findKeptPort = (dataDir: string): number | undefined =>
  readRunFile(join(dataDir, 'run', 'http-ports.json'), z.object({ PORT: z.number() }))?.PORT;

const readiness = z.object({
  status: z.enum(['up', 'down']),
  process: z.string().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** What the service at `url` says of itself, if it belongs to this installation. `isOurs` answers undefined when that is not known. */
export const examineService = async (
  url: string,
  isOurs: (process: string) => Promise<boolean | undefined>,
): Promise<Finding> => {
  const health = `${url}/health/ready`;
  const correct = 'start the service, or correct HOST, PORT or BASE_URL for this command';
  let answer: Response;
  let body: unknown;
  try {
    answer = await fetch(health, { signal: AbortSignal.timeout(timeoutMs) });
    body = await answer.json().catch(() => undefined);
  } catch (error) {
    return wrong(part, `${health} does not answer: ${describeError(error)}`, correct);
  }
  const { success, data } = readiness.safeParse(body);
  if (!success) return wrong(part, `${health} answers ${answer.status}, but is not Parley`, correct);
  // Versions before 0.3 do not say it.
  const process = data.process === undefined ? undefined : parseId('process', data.process);
  if (process !== undefined && (await isOurs(process)) === false) {
    return wrong(part, `another installation answers at ${url}`, `give one of them another port, or ${correct}`);
  }
  return answer.ok
    ? ok(part, `${url} is ready`)
    : wrong(
        part,
        `${health} answers ${answer.status}: ${data.error?.message ?? data.status}`,
        'check the parts it names, and the log',
      );
};
