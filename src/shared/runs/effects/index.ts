import type { EventTransaction } from '../../facts/tell.ts';
import type { Effect } from '../../flows/blocks/block.ts';
import type { RunSnapshot } from '../engine/snapshot.ts';
import type { ReadSnapshot } from '../engine/snapshot-row.ts';
import { addTag } from './add-tag.ts';
import { closeConversation } from './close-conversation.ts';
import type { EffectKind, EffectOf, Phase, PlacedEffect, Seen, Stored } from './effect.ts';
import { expireHandover } from './expire-handover.ts';
import { removeTag } from './remove-tag.ts';
import { requestHandover } from './request-handover.ts';
import { send } from './send.ts';
import { setField } from './set-field.ts';
import { setReply } from './set-reply.ts';
import { startFlow } from './start-flow.ts';

const kinds = {
  send,
  set_field: setField,
  add_tag: addTag,
  remove_tag: removeTag,
  close_conversation: closeConversation,
  request_handover: requestHandover,
  expire_handover: expireHandover,
  set_reply: setReply,
  start_flow: startFlow,
} satisfies { [Type in Effect['type']]: EffectKind<EffectOf<Type>> };

const kindOf = ({ type }: Effect): EffectKind => kinds[type];

/** What the rest of the pass sees after an effect. */
export const seeEffect = (seen: Seen, effect: Effect): Seen => ({ ...seen, ...kindOf(effect).see?.(seen, effect) });

/** Why an effect cannot be, so that the run has to fail; null when it can. */
export const refuseEffect = (snapshot: RunSnapshot, effect: Effect): string | null =>
  kindOf(effect).refuse?.(snapshot, effect) ?? null;

type ToStore = { snapshot: ReadSnapshot; effects: readonly PlacedEffect[] };

/** Writes the effects of a phase in their order, those of one type that follow one another together. */
export const storeEffects = async (
  tx: EventTransaction,
  phase: Exclude<Phase, 'run'>,
  { snapshot, effects }: ToStore,
): Promise<Stored> => {
  let all: Stored = {};
  for (const group of groupByType(effects.filter((effect) => kindOf(effect).phase === phase))) {
    const kind = kindOf(group[0]);
    if (kind.phase === 'run') continue;
    const stored = await kind.store(tx, group, snapshot);
    if (stored) all = { ...all, ...stored };
  }
  return all;
};

type Group = [PlacedEffect, ...PlacedEffect[]];

const groupByType = (effects: readonly PlacedEffect[]): Group[] => {
  const groups: Group[] = [];
  for (const effect of effects) {
    const last = groups.at(-1);
    if (last?.[0].type === effect.type) last.push(effect);
    else groups.push([effect]);
  }
  return groups;
};
