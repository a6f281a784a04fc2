import { createIssues } from './definition/issues.ts';
import { createNearest } from './definition/nearest.ts';
import { readDraft } from './definition/shape.ts';
import { usesOf } from './definition/uses.ts';

/** The most that is kept of what a draft needs: an account does not have as much. */
const usesAtMost = 5_000;

/** What a draft needs of its account, as `usesOf` tells it: of the blocks and triggers whose shape is right. */
export const usesOfDraft = (definition: unknown): string[] => {
  const draft = readDraft(createIssues(), createNearest(), definition);
  if (!draft) return [];
  const blocks = draft.blocks.flatMap(({ parsed }) => (parsed ? [parsed.config] : []));
  return usesOf({ triggers: draft.triggers, blocks }).slice(0, usesAtMost);
};
