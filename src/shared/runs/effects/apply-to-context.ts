import { isProfileField, type FieldValue, type ProfileField } from '../../custom-fields/values.ts';
import { foldTag } from '../../tags/fold.ts';
import { unreachable } from '../../unreachable.ts';
import type { ContactView, Effect, Situation } from '../../flows/blocks/block.ts';

/** The situation as the blocks after an effect see it. */
export const applyToSituation = (situation: Situation, effect: Effect): Situation => {
  const { contact, run } = situation;
  switch (effect.type) {
    case 'set_field':
      return { ...situation, contact: setField(contact, effect.key, effect.value) };
    case 'add_tag':
      return { ...situation, contact: { ...contact, tags: [...withoutTag(contact.tags, effect.name), effect.name] } };
    case 'remove_tag':
      return { ...situation, contact: { ...contact, tags: withoutTag(contact.tags, effect.name) } };
    case 'set_reply':
      return { ...situation, run: { ...run, reply: { text: effect.text } } };
    case 'send':
    case 'close_conversation':
    case 'request_handover':
    case 'expire_handover':
    case 'start_flow':
      return situation;
    default:
      return unreachable(effect);
  }
};

const profileName: Record<ProfileField, keyof ContactView> = {
  first_name: 'firstName',
  last_name: 'lastName',
  email: 'email',
  phone: 'phone',
  language: 'language',
  time_zone: 'timeZone',
};

const setField = (contact: ContactView, key: string, value: FieldValue | null): ContactView => {
  if (isProfileField(key)) return { ...contact, [profileName[key]]: profileText(value) };
  const { [key]: _before, ...others } = contact.fields;
  return { ...contact, fields: value === null ? others : { ...others, [key]: value } };
};

/** Profile fields are texts. */
export const profileText = (value: FieldValue | null): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);

/** Tags are the same in any letter case. */
const withoutTag = (tags: readonly string[], name: string): readonly string[] =>
  tags.filter((tag) => foldTag(tag) !== foldTag(name));
