import { writeFields } from '../../contacts/write-fields.ts';
import { isProfileField, type FieldValue, type ProfileField } from '../../custom-fields/values.ts';
import { contactChanged } from '../../facts/contact-changed.ts';
import type { ContactView } from '../../flows/blocks/block.ts';
import type { EffectKind, EffectOf } from './effect.ts';

/** A custom or a profile field. All of a pass are written together, or none when the contact cannot have them. */
export const setField: EffectKind<EffectOf<'set_field'>> = {
  phase: 'contact',
  see: ({ context }, { key, value }) => ({ context: { ...context, contact: withField(context.contact, key, value) } }),
  store: async (tx, effects, { row: { accountId, contactId }, run }) => {
    const custom: Record<string, FieldValue | null> = {};
    const profile: Record<string, string | null> = {};
    for (const { key, value } of effects) {
      if (isProfileField(key)) profile[key] = profileText(value);
      else custom[key] = value;
    }
    if (await writeFields(tx.sql, { accountId, contactId, custom, profile })) return { refused: 'too_many_fields' };
    const fields = Object.keys({ ...custom, ...profile });
    await tx.tell(contactChanged({ accountId, contactId, fields, byRunId: run.id }));
    return {};
  },
};

const profileName: Record<ProfileField, keyof ContactView> = {
  first_name: 'firstName',
  last_name: 'lastName',
  email: 'email',
  phone: 'phone',
  language: 'language',
  time_zone: 'timeZone',
};

const withField = (contact: ContactView, key: string, value: FieldValue | null): ContactView => {
  if (isProfileField(key)) return { ...contact, [profileName[key]]: profileText(value) };
  const { [key]: _before, ...others } = contact.fields;
  return { ...contact, fields: value === null ? others : { ...others, [key]: value } };
};

/** Profile fields are texts. */
const profileText = (value: FieldValue | null): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
