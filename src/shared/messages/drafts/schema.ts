import { z } from 'zod';
import { asStored, codec, nullable, time, type RowOf } from '../../codec.ts';

/** The most characters of a draft, and the most drafts of a user. */
export const draftLimits = { text: 10_000, drafts: 500 } as const;

export const draftKind = z.enum(['reply', 'note']).meta({ description: 'reply: to the contact. note: for agents.' });

export type DraftKind = z.infer<typeof draftKind>;

export const draftText = z
  .strictObject({ text: z.string().min(1).max(draftLimits.text) })
  .meta({ id: 'DraftText', example: { text: 'Your order is on its' } });

const draft = codec({
  kind: asStored(draftKind),
  text: asStored(z.string().meta({ description: 'Empty when there is no draft.' })),
  revision: asStored(z.int().meta({ description: 'Another one after each change; 0 when there is no draft.' })),
  updated_at: nullable(time()),
});

export const draftBody = draft.body.meta({ id: 'ConversationDraft' });

/** A draft as it is stored. */
export type DraftRow = RowOf<typeof draft>;

/** A draft as the API shows it. */
export const showDraft = draft.show;
