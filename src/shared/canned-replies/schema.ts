import { z } from 'zod';
import { asStored, codec, id, idOf, time, type RowOf } from '../codec.ts';
import { messageLimits } from '../flows/blocks/message-limits.ts';
import { exampleId } from '../ids.ts';
import { inUnicodeForm } from '../platform/unicode-form.ts';

/** What an id of a canned reply names. */
export const cannedReplyNoun = { name: 'canned reply', prefix: 'can' } as const;

/** `ofAccount`: the most canned replies of an account. Lengths are in characters. */
export const cannedReplyLimits = { ofAccount: 1_000, shortcut: 40, text: messageLimits.text } as const;

const shortcut = z
  .string()
  .trim()
  .overwrite((text) => inUnicodeForm(text, 'NFC'))
  .min(1)
  .max(cannedReplyLimits.shortcut)
  .refine((text) => /^[\p{L}\p{N}_-]+$/u.test(text), 'has letters, digits, - and _ only')
  .meta({
    description: 'What an agent types after / to insert it. Letters, digits, - and _; unique in any letter case.',
    example: 'thanks',
  });

const text = z.string().trim().min(1).max(cannedReplyLimits.text).meta({
  description: 'May have placeholders for what is known of the contact: {{first_name|default:"there"}}.',
});

export const newCannedReply = z.strictObject({ shortcut, text }).meta({
  id: 'NewCannedReply',
  example: { shortcut: 'thanks', text: 'Thank you, {{first_name|default:"friend"}}!' },
});

export type NewCannedReply = z.infer<typeof newCannedReply>;

export const cannedReplyChanges = z
  .strictObject({ shortcut: shortcut.optional(), text: text.optional() })
  .meta({ id: 'CannedReplyChanges', example: { text: 'Thanks a lot!' } });

export type CannedReplyChanges = z.infer<typeof cannedReplyChanges>;

export const cannedReplyFilters = {
  search: z
    .string()
    .trim()
    .overwrite((searched) => inUnicodeForm(searched, 'NFC'))
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Only those whose shortcut or text contains this, in any letter case.' }),
};

const cannedReply = codec({
  id: id(cannedReplyNoun),
  shortcut: asStored(z.string()),
  text: asStored(z.string()),
  created_at: time(),
  updated_at: time(),
});

export const cannedReplyBody = cannedReply.body.meta({ id: 'CannedReply' });

/** A canned reply as it is stored; the id is a UUID. */
export type CannedReplyRow = RowOf<typeof cannedReply>;

/** A canned reply as the API shows it. */
export const showCannedReply = cannedReply.show;

export const cannedReplyFor = z
  .strictObject({ contact_id: idOf('contact', 'a contact') })
  .meta({ id: 'CannedReplyFor', example: { contact_id: exampleId('contact') } });

export const renderedReplyBody = z
  .object({ text: z.string().meta({ description: 'The text for this contact, to send or to change first.' }) })
  .meta({ id: 'RenderedCannedReply' });
