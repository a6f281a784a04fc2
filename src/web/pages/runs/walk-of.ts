import type { components } from '../../api/paths.gen.d.ts';
import type { Walk } from '../flows/drawing/drawing-context.ts';
import { isFailed } from './is-failed.ts';

type Schemas = components['schemas'];
type Step = Pick<Schemas['RunStep'], 'block_id' | 'port' | 'reason'>;

/** The way that these steps are, from the first on, for the drawing of their flow: the last visit of a block counts. `run`: where it is now. */
export const walkOf = (run: Pick<Schemas['Run'], 'status' | 'block_id'>, steps: readonly Step[]): Walk => {
  const states = new Map<string, 'entered' | 'here' | 'failed'>();
  const taken = new Set<string>();
  for (const step of steps) {
    states.set(step.block_id, isFailed(step) ? 'failed' : 'entered');
    if (step.port !== null) taken.add(JSON.stringify([step.block_id, step.port]));
  }
  const isOpen = run.status === 'running' || run.status === 'waiting';
  if (run.block_id !== null && isOpen) states.set(run.block_id, 'here');
  if (run.block_id !== null && run.status === 'failed') states.set(run.block_id, 'failed');
  return {
    at: run.block_id ?? steps.at(-1)?.block_id ?? null,
    stateOf: (blockId) => states.get(blockId),
    took: (blockId, ports) =>
      blockId === null ? steps.length > 0 : ports.some((port) => taken.has(JSON.stringify([blockId, port]))),
  };
};
