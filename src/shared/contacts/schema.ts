import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { anyKey, shownValue } from '../custom-fields/schema.ts';
import { askedTime, onAccountsClock, writtenTime } from '../times/storable-time.ts';
import { timeZone } from '../times/time-zone.ts';
import { phoneLength } from '../typed/phone-length.ts';

/** The most custom fields of a contact. */
export const maxCustomFields = 100;

const name = z.string().min(1).max(200);

const language = z
  .string()
  .max(35)
  .transform((tag, ctx) => {
    try {
      // As systems write their locales: `pt_BR`.
      return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0] ?? tag;
    } catch {
      ctx.addIssue({ code: 'custom', message: 'must be a language tag such as "de" or "pt-BR"' });
      return z.NEVER;
    }
  });

/** As it is written; `phones.ts` reads it, because that takes the account's country. */
const phone = z.string().min(1).max(phoneLength).meta({
  description:
    "In international form, as `+49 151 12345678`, or a number of the account's `default_country`. It is stored as `+4915112345678`.",
});

const valuesOf = (keys: z.ZodType<string, string>) =>
  z
    .record(keys, z.unknown())
    .refine((fields) => Object.keys(fields).length <= maxCustomFields, `has more than ${maxCustomFields} fields`)
    .meta({ maxProperties: maxCustomFields });

const zoneless = "A date-time without a zone is on the clock of the contact's `time_zone`, else of the account's.";

const customFields = valuesOf(anyKey).meta({ maxProperties: maxCustomFields, description: zoneless });

/** As they come with a message: what is wrong with a field is told in the answer, and refuses nothing. */
export const customFieldsOfSender = valuesOf(z.string().max(200)).meta({
  maxProperties: maxCustomFields,
  description: 'Parley skips fields that are undefined or of another type: `skipped_fields` names them.',
});

/** The most characters of a contact's id in the account's own system. No e-mail address and no phone number has more. */
export const externalIdLength = 255;

const externalId = z
  .string()
  .min(1)
  .max(externalIdLength)
  .meta({ description: "The contact's id in your own system. No other contact of the account may have it." });

const pausedUntil = writtenTime.meta({
  format: 'date-time',
  description:
    'No flow writes to the contact before this time. null, or a time in the past, ends the pause. Without a zone it is on the clock of the contact, else of the account.',
});

/** The fields of a contact that an inbound message may give for its sender. */
export const profile = z.strictObject({
  first_name: name.nullish(),
  last_name: name.nullish(),
  email: z.email().max(254).nullish(),
  phone: phone.nullish(),
  language: language.nullish(),
  time_zone: timeZone.nullish(),
});

const ofAccount = profile.extend({ external_id: externalId.nullish(), automation_paused_until: pausedUntil.nullish() });

export const newContactBody = ofAccount.extend({ custom_fields: customFields.optional() }).meta({
  id: 'NewContact',
  example: { first_name: 'Ada', email: 'ada@example.com', time_zone: 'Europe/London', custom_fields: { orders: 3 } },
});

const contactStatus = z.enum(['active', 'unsubscribed', 'blocked']);

export const contactChanges = ofAccount
  .extend({
    status: contactStatus.optional().meta({
      description:
        'Nothing is sent to a contact that is `unsubscribed` or `blocked`, no flow begins with it, and its runs end. Messages that wait to be sent fail. What a `blocked` contact writes is recorded, counts as no `unread`, and notifies nobody.',
    }),
    custom_fields: customFields
      .optional()
      .meta({ description: `Merged into the existing custom fields; null removes one. ${zoneless}` }),
  })
  .meta({
    id: 'ContactChanges',
    example: { last_name: 'King', custom_fields: { orders: 4 } },
    description: 'Fields that are not given stay as they are; null empties a field.',
  });
/** The contact of these keys, or a new one. */
export const contactUpsert = contactChanges
  .omit({ status: true })
  .refine(({ external_id, email, phone }) => [external_id, email, phone].some((key) => typeof key === 'string'), {
    error: 'must be given, or email or phone',
    path: ['external_id'],
  })
  .meta({
    id: 'ContactUpsert',
    example: { external_id: 'shop/4711', email: 'ada@example.com', first_name: 'Ada', custom_fields: { orders: 4 } },
    description:
      'At least one of external_id, email and phone. Fields that are not given stay as they are; null empties a field.',
  });

export type ContactUpsert = z.infer<typeof contactUpsert>;
export type NewContact = z.infer<typeof newContactBody>;
export type ContactChanges = z.infer<typeof contactChanges>;

const orNull = nullable(asStored(z.string()));

const contact = codec({
  id: id('contact'),
  first_name: orNull,
  last_name: orNull,
  email: orNull,
  phone: orNull,
  language: orNull,
  time_zone: orNull,
  external_id: orNull,
  custom_fields: asStored(z.record(z.string(), shownValue)),
  tags: asStored(z.array(z.string()).meta({ description: 'Their names, in the order of the alphabet.' })),
  automation_paused_until: nullable(time(), { description: 'No flow writes to the contact before this time.' }),
  status: asStored(contactStatus),
  last_channel: nullable(asStored(z.string()), {
    description: 'The type of the channel that the contact used last.',
  }),
  created_at: time(),
  updated_at: time(),
});

export const contactBody = contact.body.meta({ id: 'Contact' });

/** What is said of a key in a url: a plus that is not escaped arrives as a blank, and would find nobody. */
export const plusHint = 'in a url a plus is written %2B';

/** Why no contact can have this as its e-mail address; undefined where one can. */
export const findEmailProblem = (value: string): string | undefined =>
  /\s/.test(value) ? `must not contain blanks; ${plusHint}` : undefined;

const refuse = (ctx: z.RefinementCtx, message: string | undefined): void => {
  if (message !== undefined) ctx.addIssue({ code: 'custom', message });
};

/** Which contacts a list shows, beside tags and custom fields. */
export const contactFilters = {
  email: z
    .string()
    .max(254)
    .superRefine((value, ctx) => refuse(ctx, findEmailProblem(value)))
    .optional()
    .meta({ description: 'Only contacts with this e-mail address, in any letter case. A plus is `%2B` in a query.' }),
  phone: z
    .string()
    .max(phoneLength)
    .optional()
    .meta({ description: 'Only contacts with this phone number, however it is written. A plus is `%2B` in a query.' }),
  status: contactStatus.optional(),
  updated_after: askedTime.optional().meta({
    description: `Only those that were changed after this time, the last change last. Tags do not count as changes. ${onAccountsClock}`,
  }),
  search: z.string().min(1).max(externalIdLength).optional().meta({
    description:
      'Only those whose name, last name or e-mail address begins so, in any letter case, or whose external id or phone number, however it is written, does; in the alphabetical order of what was found.',
  }),
};

/** A contact as it is stored; `id` is its UUID. */
export type ContactRow = RowOf<typeof contact>;

/** A contact as the API shows it. */
export const showContact = contact.show;
