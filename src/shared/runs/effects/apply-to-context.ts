import { isProfileField, type FieldValue, type ProfileField } from '../../custom-fields/values.ts';
import { foldTag } from '../../tags/fold.ts';
import { unreachable } from '../../unreachable.ts';
import type { ContactView, Effect, BlockContext } from '../../flows/blocks/block.ts';

/** The context that blocks see after an effect. */
export const applyToContext = (context: BlockContext, effect: Effect): BlockContext => {
  const { contact, run } = context;
  switch (effect.type) {
    case 'set_field':
      return { ...context, contact: setField(contact, effect.key, effect.value) };
    case 'add_tag':
      return { ...context, contact: { ...contact, tags: [...withoutTag(contact.tags, effect.name), effect.name] } };
    case 'remove_tag':
      return { ...context, contact: { ...contact, tags: withoutTag(contact.tags, effect.name) } };
    case 'set_reply':
      return { ...context, run: { ...run, reply: { text: effect.text } } };
    case 'send':
    case 'close_conversation':
    case 'request_handover':
    case 'expire_handover':
    case 'start_flow':
      return context;
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
