import { z } from 'zod';
import { customFieldsOfSender, profile } from '../../contacts/schema.ts';
import { isProfileField, type ProfileField } from '../../custom-fields/values.ts';
import type { Problem } from '../../errors.ts';
import { sayIssue } from '../../platform/say-issue.ts';

/** What an inbound message says of its sender, as far as it can be taken, and what was skipped of it. */
export type Sender = {
  external_id: string;
  custom_fields?: Record<string, unknown>;
  skipped?: readonly Problem[];
} & { [Field in ProfileField]?: string | null | undefined };

/** Documented as the schema has it, and taken whatever it is: what does not fit is skipped. */
const whatever = (schema: z.ZodType) => {
  const { $schema: _dialect, ...documented } = z.toJSONSchema(schema, { io: 'input' });
  return z.unknown().optional().meta(documented);
};

/** The most fields that a sender can have: no request holds more values. Of those that are none of a sender's, so many are told. */
const fieldsAtMost = 5_000;
const toldAtMost = 100;

const { first_name, last_name, email, phone, language, time_zone } = profile.shape;

const given = z.looseObject({
  external_id: z.string().min(1).max(255),
  first_name: whatever(first_name),
  last_name: whatever(last_name),
  email: whatever(email),
  phone: whatever(phone),
  language: whatever(language),
  time_zone: whatever(time_zone),
  custom_fields: whatever(customFieldsOfSender),
});

/** The sender of an inbound message. Only its id can be wrong: a message is not refused for what else is said of its sender. */
export const senderBody = given
  .transform(({ external_id, custom_fields, ...others }): Sender => {
    const skipped: Problem[] = [];
    const take = <Output>(schema: z.ZodType<Output>, path: string, value: unknown): Output | undefined => {
      const { success, data, error } = schema.safeParse(value, { error: sayIssue, reportInput: true });
      if (!success) skipped.push({ path: `sender.${path}`, message: error.issues[0]?.message ?? 'is not valid' });
      return data;
    };
    const taken = Object.entries(others).map(([name, value]) => {
      if (isProfileField(name)) return [name, take(profile.shape[name], name, trimmed(value))] as const;
      if (skipped.length < toldAtMost) skipped.push({ path: `sender.${name}`, message: 'is not a field of a sender' });
      return [name, undefined] as const;
    });
    const fields = custom_fields === undefined ? undefined : take(customFieldsOfSender, 'custom_fields', custom_fields);
    return {
      external_id,
      ...Object.fromEntries(taken.filter(([, value]) => value !== undefined)),
      ...(fields && { custom_fields: fields }),
      skipped,
    };
  })
  .meta({
    maxProperties: fieldsAtMost,
    description:
      'Its fields are used only if the message creates a contact. Invalid fields are skipped: `skipped_fields` lists them.',
  });

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
