import { startDevServer, startTimeSkipping } from '../../helpers/temporal.ts';

/** The servers that histories are recorded on: in real time, with local activities first, and with a clock that jumps over timers. */
export const servers = [
  { name: 'in real time', isLive: true, start: startDevServer },
  {
    name: 'with time skipping',
    isLive: false,
    start: async () => {
      const env = await startTimeSkipping();
      return { client: env.client, nativeConnection: env.nativeConnection, stop: () => env.teardown() };
    },
  },
];
