import { z } from 'zod';
import { asStored, codec, id, idOf, nullable, time, type RowOf } from '../codec.ts';
import type { HandoverSettingsRow } from '../accounts/handover-settings.ts';
import { readConsent } from '../contacts/consent.ts';
import type { ToldHandover } from '../facts/handover-requested.ts';
import { reasonLength } from '../flows/blocks/handover.ts';
import { handoverWordLimits } from '../flows/handover-words.ts';
import { foldTyped } from '../typed/text.ts';
import { exampleId, showId } from '../ids.ts';

/** The most characters of what became of a handover. */
const outcomeLength = 500;

const handoverStatuses = ['open', 'resolved', 'expired'] as const;

const requesters = ['contact', 'flow', 'agent', 'api'] as const;

/** Who has requested a handover. */
export type Requester = (typeof requesters)[number];

export const newHandover = z
  .strictObject({
    conversation_id: idOf('conversation', 'a conversation')
      .optional()
      .meta({ description: 'An open conversation, if not `contact_id`.' }),
    contact_id: idOf('contact', 'a contact')
      .optional()
      .meta({ description: 'If not `conversation_id`: the handover is of its open conversation, where it has one.' }),
    reason: z.string().trim().min(1).max(reasonLength).meta({ description: 'Why the contact needs an agent.' }),
  })
  .refine(({ conversation_id, contact_id }) => (conversation_id === undefined) !== (contact_id === undefined), {
    path: ['conversation_id'],
    error: 'must be given, or contact_id, but not both',
  })
  .meta({
    id: 'NewHandover',
    example: { conversation_id: exampleId('conversation'), reason: 'Wants to speak with a person.' },
  });

export type NewHandover = z.infer<typeof newHandover>;

export const handoverChanges = z
  .strictObject({ assigned_to: idOf('user', 'a user').nullable() })
  .meta({ id: 'HandoverChanges', example: { assigned_to: exampleId('user') } });

export const handoverResolution = z
  .strictObject({
    outcome: z.string().trim().min(1).max(outcomeLength).optional().meta({ description: 'Resolution note.' }),
  })
  .meta({ id: 'HandoverResolution', example: { outcome: 'Refunded.' } });

/** Which handovers a list shows. */
export const handoverFilters = {
  status: z.enum(handoverStatuses).optional(),
  contact_id: idOf('contact', 'a contact').optional(),
  assigned_to: z
    .union([z.literal('none'), idOf('user', 'a user')])
    .optional()
    .meta({ description: 'A user, or `none` for unassigned ones.' }),
};

const handover = codec({
  id: id('handover'),
  contact_id: id('contact'),
  conversation_id: nullable(id('conversation'), { description: 'Null if the contact had no open one.' }),
  status: asStored(z.enum(handoverStatuses).meta({ description: 'expired: not resolved before expires_at.' })),
  reason: asStored(z.string()),
  requested_by: asStored(z.enum(requesters).meta({ description: 'agent: by the dashboard. api: with an API key.' })),
  run_id: nullable(id('run'), { description: 'The run, if a flow requested it.' }),
  assigned_to: nullable(id('user'), { description: 'The user who has taken it.' }),
  outcome: nullable(asStored(z.string()), { description: 'Resolution note, if given.' }),
  created_at: time(),
  expires_at: time(),
  ended_at: nullable(time()),
});

export const handoverBody = handover.body.meta({ id: 'Handover' });

/** A handover as it is stored; ids are UUIDs. */
export type HandoverRow = RowOf<typeof handover>;

/** A handover as the API shows it. */
export const showHandover = handover.show;

/** A handover as events tell it. */
export const tellHandover = ({ id, reason, requestedBy, conversationId, createdAt }: HandoverRow): ToldHandover => ({
  id: showId('handover', id),
  reason,
  requested_by: requestedBy,
  conversation_id: conversationId && showId('conversation', conversationId),
  created_at: createdAt.toISOString(),
});

const word = z
  .string()
  .trim()
  .min(1)
  .max(handoverWordLimits.length)
  .refine((text) => readConsent(text) === undefined, 'ends or begins a subscription')
  .transform(foldTyped);

const hours = z.int().min(1).max(8_760).meta({ description: 'How long a handover stays open at most, in hours.' });

const words = z.array(z.string()).meta({
  description:
    'A message that is only one of these, in any letter case and with any punctuation around it, requests a handover.',
});

export const handoverSettingsBody = z.object({ words, expire_after_hours: hours }).meta({ id: 'HandoverSettings' });

export const handoverSettingChanges = z
  .strictObject({
    words: z
      .array(word)
      .max(handoverWordLimits.words)
      .transform((all) => [...new Set(all)])
      .optional()
      .meta({
        description: `All words, up to ${handoverWordLimits.words} of ${handoverWordLimits.length} characters.`,
      }),
    expire_after_hours: hours.optional(),
  })
  .meta({
    id: 'HandoverSettingChanges',
    example: { words: ['agent', 'human'], expire_after_hours: 24 },
    description: 'Omitted fields stay unchanged. Open handovers keep their time.',
  });

/** The settings as the API shows them. */
export const showHandoverSettings = ({ words, expireAfterHours }: HandoverSettingsRow) => ({
  words,
  expire_after_hours: expireAfterHours,
});

/** What a user has chosen for itself. */
export const handoverMailsBody = z
  .strictObject({
    notify_handovers: z.boolean().meta({ description: 'Whether you get a mail for each handover of the account.' }),
  })
  .meta({ id: 'HandoverMails', example: { notify_handovers: true } });
