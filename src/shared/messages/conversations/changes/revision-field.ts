import { z } from 'zod';
import { asStored } from '../../../codec.ts';

/** The field that says at which revision of its conversation something happened. */
export const revisionOfRow = (happened: string) =>
  asStored(z.int().meta({ description: `The conversation's revision when ${happened}; 0 for one from before 0.4.` }));
