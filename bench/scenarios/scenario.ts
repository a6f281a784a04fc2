import { unlessInterrupted } from '../interrupted.ts';
import { runOpenLoop } from '../load.ts';
import { measure, type Measured } from '../measure.ts';
import type { Options } from '../options.ts';
import type { Parts } from '../processes.ts';
import { startGround, type Ground } from '../servers.ts';
import type { Target } from '../target.ts';

/** The result of a scenario: lines and aims for people, and the figures for a file. */
export type Outcome = { title: string; lines: string[]; aims: string[]; lossless: boolean; figures: object };

/** Measures one thing on servers of its own. */
export type Scenario = (options: Options, say: (line: string) => void) => Promise<Outcome>;

/** Runs a scenario on new servers, which are stopped in any case. */
export const onNewGround =
  (run: (ground: Ground, ...args: Parameters<Scenario>) => Promise<Outcome>): Scenario =>
  async (options, say) => {
    const ground = await startGround();
    try {
      return await unlessInterrupted(run(ground, options, say));
    } finally {
      await ground.stop();
    }
  };

/** Offers load at a fixed rate and measures it. `warmUp` does so for a few seconds without measuring. */
export const offerTo = (
  { receiver }: Ground,
  { target, parts }: { target: Pick<Target, 'hand'>; parts: Parts },
): {
  warmUp: (seconds: number) => Promise<void>;
  measured: (load: { perSecond: number; seconds: number }) => Promise<Measured>;
} => ({
  warmUp: async (seconds) => {
    await runOpenLoop({ target, receiver }, { perSecond: 40, seconds: Math.min(5, seconds) });
  },
  measured: async (load) => {
    const { ids: _, ...figures } = await measure(parts, () => runOpenLoop({ target, receiver }, load));
    return figures;
  },
});

export const isLossless = (...measured: readonly Pick<Measured, 'lost' | 'doubled'>[]): boolean =>
  measured.every(({ lost, doubled }) => lost === 0 && doubled === 0);
