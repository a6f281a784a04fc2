import type { Answer } from './answer.ts';
import type { UseInstallation } from './installation.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the commands need. */
export type CommandDeps = {
  env: Environment;
  useInstallation: UseInstallation;
  /** Makes a command's action of a function that answers it. */
  answer: <Args extends unknown[]>(work: (...args: Args) => Promise<Answer>) => (...args: Args) => Promise<void>;
};
