import { unlessInterrupted } from './interrupted.ts';
import { runPhases } from './phases.ts';
import { createReport, nothingLost } from './report.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { startServers } from './servers.ts';

/** Measures Parley's speed on this machine, beside two yardsticks in the same run. */
export const speed: Scenario = async (options, say) => {
  say('Starting PostgreSQL, Temporal, Parley, the receiver and the yardsticks …');
  const servers = await startServers({ profileDir: options.profile });
  try {
    const results = await unlessInterrupted(runPhases(servers, options, say));
    const { lines, aims } = createReport(results, options);
    return { title: 'Speed', lines, aims, lossless: nothingLost(results), figures: results };
  } finally {
    await servers.stop();
  }
};
