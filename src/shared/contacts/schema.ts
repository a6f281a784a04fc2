import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';

/** The most custom fields of a contact. */
export const maxCustomFields = 100;

const name = z.string().min(1).max(200);

const language = z
  .string()
  .max(35)
  .transform((tag, ctx) => {
    try {
      return Intl.getCanonicalLocales(tag)[0] ?? tag;
    } catch {
      ctx.addIssue({ code: 'custom', message: 'must be a language tag such as "de" or "pt-BR"' });
      return z.NEVER;
    }
  });

const timeZone = z
  .string()
  .max(64)
  .transform((zone, ctx) => {
    const known = findTimeZone(zone);
    if (known !== undefined) return known;
    ctx.addIssue({ code: 'custom', message: 'must be an IANA time zone such as "Europe/Berlin"' });
    return z.NEVER;
  });

const timeZones = new Map<string, string | undefined>();

/** The canonical spelling of a time zone, or undefined. A look-up is slow, so each zone is looked up once; there are few. */
const findTimeZone = (zone: string): string | undefined => {
  const key = zone.toLowerCase();
  const known = timeZones.get(key);
  if (known !== undefined || !/^[a-z]/.test(key)) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    timeZones.set(key, timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
};

const phone = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, { error: 'must be in international form, as "+4915112345678"', abort: true })
  .max(16);

const fieldValue = z.union([z.string().max(5000), z.number(), z.boolean(), z.null()], {
  error: 'must be a text of up to 5000 characters, a number, true, false or null',
});

const customFields = z
  .record(
    z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/, {
        error: 'must be small letters, digits and _ (64 at most), a letter first',
        abort: true,
      })
      .max(64),
    fieldValue,
  )
  .refine((fields) => Object.keys(fields).length <= maxCustomFields, `has more than ${maxCustomFields} fields`)
  .meta({ maxProperties: maxCustomFields });

/** The fields of a contact that an inbound message may give for its sender. */
export const profile = z.strictObject({
  first_name: name.nullish(),
  last_name: name.nullish(),
  email: z.email().max(254).nullish(),
  phone: phone.nullish(),
  language: language.nullish(),
  time_zone: timeZone.nullish(),
});

export const newContactBody = profile.extend({ custom_fields: customFields.optional() }).meta({
  id: 'NewContact',
  example: { first_name: 'Ada', email: 'ada@example.com', time_zone: 'Europe/London', custom_fields: { orders: 3 } },
});

export const contactChanges = profile
  .extend({
    custom_fields: customFields
      .optional()
      .meta({ description: 'Merged into the present custom fields; null removes one.' }),
  })
  .meta({
    id: 'ContactChanges',
    example: { last_name: 'King', custom_fields: { orders: 4 } },
    description: 'Fields that are not given stay as they are; null empties a field.',
  });
export type NewContact = z.infer<typeof newContactBody>;
export type ContactChanges = z.infer<typeof contactChanges>;

const orNull = nullable(asStored(z.string()));

const contact = codec({
  id: id('contact', z.string().meta({ example: 'con_01jd6z3qf5e8pb2zv0w8c4x1kn' })),
  first_name: orNull,
  last_name: orNull,
  email: orNull,
  phone: orNull,
  language: orNull,
  time_zone: orNull,
  custom_fields: asStored(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  tags: asStored(z.array(z.string()).meta({ description: 'Their names, in the order of the alphabet.' })),
  status: asStored(z.enum(['active', 'unsubscribed', 'blocked'])),
  last_channel: nullable(asStored(z.string()), {
    description: 'The type of the channel that the contact used last.',
  }),
  created_at: time(),
  updated_at: time(),
});

export const contactBody = contact.body.meta({ id: 'Contact' });

/** A contact as it is stored; `id` is its UUID. */
export type ContactRow = RowOf<typeof contact>;

/** A contact as the API shows it. */
export const showContact = contact.show;
