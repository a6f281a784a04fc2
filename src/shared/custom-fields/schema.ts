import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { label } from '../label.ts';
import { fieldKey, fieldTypes, reservedKeys, valueLimits, type FieldDefinition } from './values.ts';

/** What a field can hold, as answers show it. */
export const shownValue = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .meta({ description: "Of the field's type; dates and times are texts." });

/** The key of a field, also of one that 0.2 took and that is reserved by now. */
export const anyKey = z
  .string()
  .regex(fieldKey, { error: 'must be a lowercase letter, then up to 63 lowercase letters, digits and _', abort: true })
  .max(64);

const key = anyKey
  .refine((text) => !reservedKeys.has(text), 'is reserved')
  .meta({ description: 'How the API, templates and flows name it. Never changes.' });

const options = z
  .array(z.string().min(1).max(valueLimits.item))
  .min(1)
  .max(valueLimits.items)
  .refine((texts) => new Set(texts).size === texts.length, 'has one twice')
  .meta({ description: 'The only texts that a text or list may hold. Values that contacts have already stay.' });

const defaultValue = z.unknown().meta({
  description: "The value flows read if a contact has none. A date-time without a zone is on the account's clock.",
});

export const newField = z
  .strictObject({
    key,
    name: label,
    type: z.enum(fieldTypes).meta({ description: 'Never changes.' }),
    options: options.nullish(),
    default: defaultValue.optional(),
  })
  .meta({ id: 'NewCustomField', example: { key: 'size', name: 'Size', type: 'text', options: ['S', 'M', 'L'] } });

export const fieldChanges = z
  .strictObject({ name: label.optional(), options: options.nullish(), default: defaultValue.optional() })
  .meta({
    id: 'CustomFieldChanges',
    example: { name: 'Shirt size', options: ['S', 'M', 'L', 'XL'] },
    description: 'Omitted fields stay unchanged; null removes the options or the default.',
  });

const field = codec({
  id: id('field'),
  key: asStored(z.string()),
  name: asStored(z.string()),
  type: asStored(z.enum(fieldTypes)),
  options: nullable(asStored(z.array(z.string()))),
  default: nullable(asStored(shownValue)),
  created_at: time(),
  updated_at: time(),
});

export const fieldBody = field.body.meta({ id: 'CustomField' });

/** A custom field as it is stored; `id` is its UUID. */
export type FieldRow = RowOf<typeof field> & FieldDefinition;

/** A custom field as the API shows it. */
export const showField = field.show;
