import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../../../codec.ts';
import { messageBody } from '../../schema.ts';
import { conversationBody, noteBody } from '../schema.ts';
import { revisionOfRow } from './revision-field.ts';

/** The most rows of an answer that tells changes, and how many when nothing is said. */
export const changesLimits = { most: 200, usual: 100 } as const;

/** The most messages that change together: as many as may be queued in a conversation. */
const togetherAtMost = 1_000;

/** What is done to a conversation. */
const actKinds = ['assigned', 'handed_over', 'taken', 'handed_back', 'closed', 'reopened', 'snoozed'] as const;

export type ActKind = (typeof actKinds)[number];

const act = codec({
  id: id({ name: 'act', prefix: 'act' }),
  conversation_id: id('conversation'),
  kind: asStored(
    z.enum(actKinds).meta({
      description:
        'handed_over: a handover was requested. taken: it was assigned. handed_back: it was resolved, or expired. A later version may have others.',
    }),
  ),
  user_id: nullable(id('user'), { description: 'Who did it; null for a flow, the contact, an API key or the clock.' }),
  data: asStored(
    z.record(z.string(), z.string().nullable()).meta({
      description:
        'assigned and taken: `assigned_to`. handed_over, taken and handed_back: `handover_id`. handed_back: `status`. snoozed: `until`, null for the end of a snooze.',
    }),
  ),
  created_at: time(),
  revision: revisionOfRow('it was done'),
});

export const actBody = act.body.meta({ id: 'Act' });

/** An act as it is stored; ids are UUIDs. */
export type ActRow = RowOf<typeof act>;

/** An act as the API shows it. */
export const showAct = act.show;

export const changesBody = z
  .object({
    conversation: conversationBody,
    messages: z.array(messageBody).max(changesLimits.most + togetherAtMost),
    notes: z.array(noteBody).max(changesLimits.most),
    acts: z.array(actBody).max(changesLimits.most),
    revision: z.int().meta({ description: 'Ask for changes after this one next.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'Changes' });
