import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { endWithUs } from '../../src/shared/platform/embedded/server-process.ts';

const told = z.object({ url: z.string(), caPem: z.string() });

export type ThirdParty = z.infer<typeof told> & { stop: () => void };

/** Starts it in a process of its own, so that the clock of the neighbour does not wait for what it computes. */
export const startThirdParty = async (): Promise<ThirdParty> => {
  const child = fork(fileURLToPath(new URL('third-party.ts', import.meta.url)), { execArgv: [] });
  child.once('exit', endWithUs(child.pid ?? 0));
  const [message] = await once(child, 'message');
  return { ...told.parse(message), stop: () => void child.kill() };
};
