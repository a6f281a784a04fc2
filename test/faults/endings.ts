import type { Installation } from './installation.ts';

type Parts = Pick<Installation, 'service' | 'postgres' | 'temporal'>;

/** How a part of the installation ends and begins again; each answers when it was to be back, in ms since the epoch. */
export const endings = {
  'SIGKILL of the service': async ({ service }: Parts): Promise<number> => {
    await service.kill();
    return service.start();
  },
  'SIGKILL of PostgreSQL': async ({ postgres }: Parts): Promise<number> => {
    await postgres.kill();
    const sinceMs = Date.now();
    await postgres.start();
    return sinceMs;
  },
  'SIGKILL of Temporal': async ({ temporal }: Parts): Promise<number> => {
    await temporal.kill();
    const sinceMs = Date.now();
    await temporal.start();
    return sinceMs;
  },
} as const;
