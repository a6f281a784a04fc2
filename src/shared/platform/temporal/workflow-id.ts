import { showId, type Noun } from '../../ids.ts';

/**
 * The id of a workflow: `<noun>/<id>`, with `part` behind it where one row has several in turn, and `/resume/<n>` for the one
 * that goes on after another was lost or paused. `id` is the UUID.
 */
export const workflowIdOf = (noun: Noun, { id, resumes }: { id: string; resumes: number }, part = ''): string =>
  `${noun}/${showId(noun, id)}${part}${resumes > 0 ? `/resume/${resumes}` : ''}`;
