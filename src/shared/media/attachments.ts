import { z } from 'zod';
import { idOf } from '../codec.ts';
import { attachmentsAtMost } from './limits.ts';
import { linkedFile, linkFile, mediaNoun, tellFile, toldFile, type LinkTo, type MediaFile } from './schema.ts';
import { unreachable } from '../unreachable.ts';

const location = z.object({
  type: z.literal('location'),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});

const contactCard = z.object({
  type: z.literal('contact'),
  name: z.string().max(255),
  phone: z.string().max(64),
});

type Place = z.infer<typeof location>;
type Card = z.infer<typeof contactCard>;

/** An attachment as it is stored with its message. What a file is never changes. */
export type StoredAttachment = MediaFile | Place | Card;

const givenFile = z.strictObject({ media_id: idOf(mediaNoun, 'a file') });

/** A file of the account that a message has; the id is a UUID once it is parsed. */
export type GivenFile = z.infer<typeof givenFile>;

const told = `At most ${attachmentsAtMost}, in their order. A file is uploaded first: \`POST /media\`.`;

/** What a message to a contact has beside its text. */
export const givenFiles = z.array(givenFile).max(attachmentsAtMost).meta({ description: told });

const givenAttachment = z.union([
  givenFile,
  z.strictObject(location.shape),
  z.strictObject({ ...contactCard.shape, name: z.string().trim().max(255), phone: z.string().trim().max(64) }),
]);

export type GivenAttachment = z.infer<typeof givenAttachment>;

/** What a message of a contact has beside its text. */
export const givenAttachments = z
  .array(givenAttachment)
  .max(attachmentsAtMost)
  .meta({ description: `${told} Or a location, or a contact card.` });

/** An attachment in an answer. */
export const attachment = z
  .union([linkedFile, location, contactCard])
  .meta({ id: 'Attachment', description: 'A file with links to it, a location, or a contact card.' });

/** The same for receivers: without links, which would expire. `GET /v1/media/{id}` has them. */
export const toldAttachment = z.union([toldFile, location, contactCard]);

const show = <File>(stored: StoredAttachment, showFile: (file: MediaFile) => File): File | Place | Card => {
  switch (stored.type) {
    case 'location':
    case 'contact':
      return stored;
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return showFile(stored);
    default:
      return unreachable(stored);
  }
};

/** An attachment as the API shows it. */
export const showAttachment = (stored: StoredAttachment, linkTo: LinkTo): z.infer<typeof attachment> =>
  show(stored, (file) => linkFile(file, linkTo));

/** An attachment as events and callbacks tell it. */
export const tellAttachment = (stored: StoredAttachment): z.infer<typeof toldAttachment> => show(stored, tellFile);

/** Has a text be there where nothing else is: a message of attachments alone has the text "". */
export const saysSomething = <Schema extends z.ZodObject>(schema: Schema): Schema =>
  schema.superRefine(
    (given: unknown, ctx) => {
      if (!hasEmptyText(given) || hasAttachments(given)) return;
      ctx.addIssue({ code: 'too_small', origin: 'string', minimum: 1, inclusive: true, path: ['text'], input: '' });
    },
    // With what else is wrong, its sender learns this at once.
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );

const hasEmptyText = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'text' in given && given.text === '';

const hasAttachments = (given: unknown): boolean =>
  typeof given === 'object' &&
  given !== null &&
  'attachments' in given &&
  Array.isArray(given.attachments) &&
  given.attachments.length > 0;
