import { foldTag } from '../../tags/fold.ts';
import type { Known, Reference } from '../blocks/block.ts';
import type { Check } from './references.ts';
import type { Draft } from './shape.ts';

const hint = 'Let a condition stop the loop. To begin again in the same run, use goto.';

/**
 * Warns of blocks that fire a trigger of their own flow, because each run may start another: by a tag, by a flow that the tag starts, or by
 * flows of `start_flow`. Other flows count as they are live.
 */
export const checkOwnTriggers = ({ issues, known }: Check, { blocks, triggers }: Draft): void => {
  const own = new Set(triggers.flatMap((trigger) => (trigger.type === 'tag_applied' ? [foldTag(trigger.tag)] : [])));
  if (own.size === 0) return;
  const say = createSayer(known, own);
  for (const { index, parsed } of blocks) {
    if (!parsed) continue;
    const { block, config } = parsed;
    for (const use of block.uses?.(config) ?? []) {
      const message = say(use);
      const at = { block_id: config.id, path: `blocks.${index}.${use.path}` };
      if (message !== undefined) issues.add({ ...at, code: 'fires_itself', severity: 'warning', message, hint });
    }
  }
};

/** Says how what a block refers to fires a trigger; undefined where it does not. */
const createSayer = (known: Known, own: ReadonlySet<string>) => {
  const appliedBy = (id: string) => [...(known.tagging.get(id)?.applies ?? [])].find((tag) => own.has(tag));
  const ofFlows = new Map<string, string | undefined>();
  const ofFlow = (id: string): string | undefined => {
    const tag = ofFlows.has(id) ? ofFlows.get(id) : startedBy(id, known).map(appliedBy).find(Boolean);
    ofFlows.set(id, tag);
    return tag && `applies the tag ${JSON.stringify(tag)}, which starts this flow again`;
  };
  const ofTag = (name: string): string | undefined => {
    if (own.has(name)) return 'is the tag that starts this flow, so each run may start another';
    const others = [...known.tagging].filter(([, { startedBy: tags }]) => tags.has(name));
    const found = others.flatMap(([id]) => ofFlow(id) ?? [])[0];
    return found && `starts a flow that ${found}`;
  };
  return (use: Reference): string | undefined => {
    if (use.type === 'flow') return ofFlow(use.id);
    return use.type === 'tag' && use.isMade ? ofTag(foldTag(use.name)) : undefined;
  };
};

/** A flow and all that it starts by `start_flow`, itself or through others. */
const startedBy = (id: string, { flows }: Known): string[] => {
  const reached = new Set([id]);
  for (const from of reached) for (const next of flows.get(from)?.starts ?? []) reached.add(next);
  return [...reached];
};
