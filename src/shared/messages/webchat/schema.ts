import { z } from 'zod';
import { givenFiles, saysSomething } from '../../media/attachments.ts';
import { messageLimits } from '../../flows/blocks/message-limits.ts';

/** A text of the page: cut where it is too long, and left out where it is none. */
const ofPage = (most: number) =>
  z
    .unknown()
    .transform((given) => (typeof given === 'string' && given.trim() !== '' ? given.trim().slice(0, most) : undefined));

/** An address of the page, by which no script can run. */
const address = z.unknown().transform((given) => {
  const url = typeof given === 'string' && given.length <= 2_048 ? URL.parse(given) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
});

/** What the page says of itself. Nothing of it refuses a message. */
const context = z
  .object({
    url: address,
    referrer: address,
    title: ofPage(300),
    language: ofPage(35),
    time_zone: ofPage(64),
  })
  .partial();

/** The client's own name of a message. The first one of a new visitor is known to its browser alone. */
const clientId = z.string().regex(/^[\w-]{16,64}$/, { message: 'must have 16 to 64 letters, digits, - or _' });

/** A quick reply of a message, by its place. */
const choice = z.strictObject({
  message_id: z.string().max(64),
  index: z
    .int()
    .min(0)
    .max(messageLimits.quickReplies - 1),
});

/** A message of a visitor. One that chooses a quick reply has the text of that, whatever it says. */
export const visitorMessage = saysSomething(
  z.strictObject({
    client_id: clientId,
    text: z.string().trim().max(messageLimits.text),
    attachments: givenFiles.optional(),
    choice: choice.optional(),
    context: context.optional(),
  }),
);

export type VisitorMessage = z.infer<typeof visitorMessage>;

/** Up to which revision a conversation was seen; a chat from before 0.4 names none, and means the latest. */
export const readBody = z.strictObject({ revision: z.int().min(0), conversation: z.string().max(64).optional() });

export const typingBody = z.strictObject({ is_typing: z.boolean() });

const hash = z.string().regex(/^[0-9a-f]{64}$/i, { message: 'must be 64 hexadecimal digits' });

/**
 * What the account's server says of a visitor; `expires_at` is in seconds since 1970. `hash` covers `external_id` and `expires_at`, and `email_hash` the
 * address as well. The name is what the page says.
 */
export const identifyBody = z.strictObject({
  external_id: z.string().min(1).max(200),
  name: z.string().trim().max(200).nullish(),
  email: z.string().trim().max(254).nullish(),
  expires_at: z.int().min(0).max(99_999_999_999),
  hash,
  email_hash: hash.nullish(),
});

/** The token of a link in a mail. */
export const returnBody = z.strictObject({
  token: z.string().regex(/^[\w-]{43}$/, { message: 'must be that of a link' }),
});

export type Identity = z.infer<typeof identifyBody>;

/** The most messages of an answer. */
export const threadLimit = 50;
