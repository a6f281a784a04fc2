import type { Walk } from '../drawing/drawing-context.ts';
import { walkOf } from '../../runs/walk-of.ts';
import type { Simulation } from './transcript.ts';

/** The way of a played conversation, as the canvas lights it. */
export const walkOfSimulation = ({ status, block_id: blockId, steps }: Simulation): Walk =>
  walkOf({ status, block_id: blockId }, steps);
