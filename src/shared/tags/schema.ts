import { z } from 'zod';
import { asStored, codec, id, time, type RowOf } from '../codec.ts';
import { inUnicodeForm } from '../platform/unicode-form.ts';

/** A name as somebody writes it: spaces around it do not count, nor does the letter case. */
export const tagName = z
  .string()
  .trim()
  .overwrite((name) => inUnicodeForm(name, 'NFC'))
  .min(1)
  .max(100)
  .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be of one line, without control characters')
  // They are steps between paths: no path could name such a tag.
  .refine((name) => name !== '.' && name !== '..', 'must not be "." or ".."')
  .meta({ description: 'In any letter case; shown as it was first spelt.', example: 'vip' });

export const newTag = z.strictObject({ name: tagName }).meta({ id: 'NewTag', example: { name: 'vip' } });

export const tagChanges = z.strictObject({ name: tagName }).meta({ id: 'TagChanges', example: { name: 'gold' } });

/** The filters of lists of tags. */
export const tagFilters = {
  search: z
    .string()
    .trim()
    .overwrite((text) => inUnicodeForm(text, 'NFC'))
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Only tags whose names contain this text, in any letter case.' }),
};

const fields = { id: id('tag'), name: asStored(z.string()), created_at: time() } as const;

const tag = codec(fields);

export const tagBody = tag.body.meta({ id: 'Tag' });

/** A tag as it is stored; `id` is its UUID. */
export type TagRow = RowOf<typeof tag>;

/** A tag as the API shows it. */
export const showTag = tag.show;

/** The contacts of a tag are counted up to this many, which then means that many or more. */
export const contactsCap = 10_001;

/** The same in a list of tags, which may have two hundred. */
export const contactsCapOfLists = 1_001;

const countedTag = codec({
  ...fields,
  contacts: asStored(
    z.int().meta({
      description: `How many have it, counted up to ${contactsCap}, in a list up to ${contactsCapOfLists}, which means that many or more.`,
    }),
  ),
});

export const countedTagBody = countedTag.body.meta({ id: 'TagWithContacts' });

/** The same with the number of contacts that have it. */
export type CountedTagRow = RowOf<typeof countedTag>;

export const showCountedTag = countedTag.show;
