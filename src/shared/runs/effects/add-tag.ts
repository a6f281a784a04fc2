import { applyTag } from '../../tags/apply.ts';
import { causeOf } from '../engine/snapshot-row.ts';
import type { EffectKind, EffectOf } from './effect.ts';
import { withoutTag } from './remove-tag.ts';

/** Puts a tag on the contact, which tells tag_applied. */
export const addTag: EffectKind<EffectOf<'add_tag'>> = {
  phase: 'events',
  see: ({ context }, { name }) => {
    const tags = [...withoutTag(context.contact.tags, name), name];
    return { context: { ...context, contact: { ...context.contact, tags } } };
  },
  store: async (tx, effects, snapshot) => {
    const { accountId, contactId } = snapshot.row;
    for (const { name } of effects) await applyTag(tx, { accountId, contactId, name, cause: causeOf(snapshot) });
  },
};
