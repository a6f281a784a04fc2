import type { z } from 'zod';
import type { Field } from '../../codec.ts';

/** What a kind of channel says of itself. It is pure, because the API, its document and the pages are made of it. */
export type ChannelDeclaration = {
  /** How messages come in and go out. */
  summary: string;
  /** What a channel of this kind is set up with. A field with `writeOnly` in its meta is sealed, and never shown. */
  config: z.ZodObject;
  /** The fields of `config` that are shown, as they are stored. */
  shown: Readonly<Record<string, Field<never, z.ZodType>>>;
  /** The most characters of a message's text, of a quick reply and of the url of an image; the most quick replies. */
  limits: { text: number; quickReply: number; url: number; quickReplies: number };
};

/** Whether a field of a config is sealed. */
export const isSealed = (field: z.ZodType): boolean => field.meta()?.['writeOnly'] === true;
