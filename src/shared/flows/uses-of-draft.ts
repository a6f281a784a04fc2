import { createIssues } from './definition/issues.ts';
import { createNearest } from './definition/nearest.ts';
import { readDraft } from './definition/shape.ts';
import { usesOf } from './definition/uses.ts';

/** What a draft needs of its account, as `usesOf` tells it: of the blocks and triggers whose shape is right. */
export const usesOfDraft = (definition: unknown): string[] => {
  const draft = readDraft(createIssues(), createNearest(), definition);
  if (!draft) return [];
  return usesOf({
    triggers: draft.triggers,
    blocks: draft.blocks.flatMap(({ parsed }) => (parsed ? [parsed.config] : [])),
  });
};
