import type { Known } from '../blocks/block.ts';
import { definitionLimits } from './definition.ts';
import { checkGraph } from './graph.ts';
import { createIssues, type Issue } from './issues.ts';
import { createNearest } from './nearest.ts';
import { checkOwnTriggers } from './own-triggers.ts';
import { checkReferences, checkTag, checkTrigger } from './references.ts';
import { readDraft, type Draft } from './shape.ts';
import { createSurelySet } from './surely-set.ts';

/** Tells everything that is wrong with a definition, or questionable, at once. It may be any JSON. */
export const validateDefinition = (definition: unknown, known: Known): Issue[] => {
  const issues = createIssues();
  if (isTooLarge(definition)) {
    const message = `must have at most ${definitionLimits.characters} characters as JSON, nested only as deep as blocks are`;
    issues.add({ code: 'too_large', path: '', message });
    return issues.list();
  }
  const nearest = createNearest();
  const draft = readDraft(issues, nearest, definition);
  if (!draft) return issues.list();
  checkGraph(issues, nearest, draft);
  if (slowCharactersOf(draft) > definitionLimits.slowCharacters) {
    const message = `have more than ${definitionLimits.slowCharacters} characters of paths in their mappings`;
    issues.add({ code: 'too_many_paths', path: 'blocks', message });
    return issues.list();
  }
  const check = { issues, nearest, known, isSurelySet: createSurelySet(draft, known.fields) };
  for (const { index, parsed } of draft.blocks) if (parsed) checkReferences(check, { index, ...parsed });
  for (const [index, trigger] of draft.triggers.entries()) {
    checkTrigger(check, trigger, index);
    if (trigger.type === 'tag_applied')
      checkTag(check, { name: trigger.tag }, { path: `triggers.${index}.tag`, block_id: null });
  }
  checkOwnTriggers(check, draft);
  return issues.list();
};

const slowCharactersOf = ({ blocks }: Draft): number =>
  blocks.reduce((sum, { parsed }) => sum + (parsed?.block.slowCharacters?.(parsed.config) ?? 0), 0);

const isTooLarge = (definition: unknown): boolean => {
  try {
    return (JSON.stringify(definition) ?? '').length > definitionLimits.characters;
  } catch {
    return true;
  }
};
