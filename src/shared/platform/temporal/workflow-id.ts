import { showId, type ListedNoun } from '../../ids.ts';

/**
 * The id of a workflow: `<noun>/<id>`. `part` follows when a row has several workflows in turn, and `/resume/<n>` for a workflow that continues a
 * lost or paused one. `id` is the UUID.
 */
export const workflowIdOf = (noun: ListedNoun, { id, resumes }: { id: string; resumes: number }, part = ''): string =>
  `${noun}/${showId(noun, id)}${part}${resumes > 0 ? `/resume/${resumes}` : ''}`;
