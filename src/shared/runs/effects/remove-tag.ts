import { removeTag as takeOff } from '../../tags/apply.ts';
import { foldTag } from '../../tags/fold.ts';
import type { EffectKind, EffectOf } from './effect.ts';

/** Removes a tag from the contact, in its order with those that are added. */
export const removeTag: EffectKind<EffectOf<'remove_tag'>> = {
  phase: 'events',
  see: ({ context }, { name }) => {
    const tags = withoutTag(context.contact.tags, name);
    return { context: { ...context, contact: { ...context.contact, tags } } };
  },
  store: async (tx, effects, { row: { accountId, contactId } }) => {
    for (const { name } of effects) await takeOff(tx, { accountId, contactId, name });
  },
};

/** Tags are the same in any letter case. */
export const withoutTag = (tags: readonly string[], name: string): readonly string[] =>
  tags.filter((tag) => foldTag(tag) !== foldTag(name));
