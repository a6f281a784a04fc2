import { writeFile } from 'node:fs/promises';
import { parseOptions, usage, type Options } from './options.ts';
import type { Part } from './parts.ts';
import { domain } from './scenarios/domain.ts';
import { fairness } from './scenarios/fairness.ts';
import { flows } from './scenarios/flows.ts';
import { hanging } from './scenarios/hanging.ts';
import { live } from './scenarios/live.ts';
import { memory } from './scenarios/memory.ts';
import { replay } from './scenarios/replay.ts';
import type { Outcome, Scenario } from './scenarios/scenario.ts';
import { scale } from './scenarios/scale.ts';
import { sizing } from './scenarios/sizing.ts';
import { stored } from './scenarios/stored.ts';
import { volume } from './scenarios/volume.ts';
import { speed } from './speed.ts';

// npm run bench measures Parley's speed on this machine, and the scenarios that --only names. It exits with 1 when a message was lost or came
// twice. It never fails for being slow, which only a reader who knows the machine can judge.

const scenarios: Record<Part, Scenario> = {
  speed,
  hanging,
  fairness,
  stored,
  scale,
  sizing,
  memory,
  replay,
  flows,
  volume,
  domain,
  live,
};

const say = (line: string): void => console.log(line);

const run = async (options: Options): Promise<void> => {
  const outcomes: Partial<Record<Part, Outcome>> = {};
  for (const part of options.only) {
    const outcome = await scenarios[part](options, say);
    outcomes[part] = outcome;
    say(['', outcome.title, '', ...outcome.lines, '', 'Aims', ...outcome.aims, ''].join('\n'));
    if (!outcome.lossless) process.exitCode = 1;
  }
  if (options.json === undefined) return;
  const figures = Object.fromEntries(Object.entries(outcomes).map(([part, outcome]) => [part, outcome.figures]));
  await writeFile(options.json, `${JSON.stringify({ at: new Date(), options, ...figures }, null, 2)}\n`);
};

try {
  if (process.platform !== 'linux') throw new Error('CPU time and memory are read from /proc, which only Linux has');
  const options = parseOptions(process.argv.slice(2));
  if (options) await run(options);
  else say(usage);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// A handle that a library has left open must not keep the process alive.
process.exit();
