import { z } from 'zod';
import { found, invalid } from '../../shared/errors.ts';
import { idOf } from '../../shared/codec.ts';
import { inDigits } from '../../shared/in-digits.ts';
import { actBody, showAct } from '../../shared/messages/conversations/changes/schema.ts';
import { findConversation } from '../../shared/messages/conversations/find-conversations.ts';
import { readThread, type ThreadPlace } from '../../shared/messages/conversations/read-thread.ts';
import { noteBody, showNote } from '../../shared/messages/conversations/schema.ts';
import { findMessage } from '../../shared/messages/queries.ts';
import { messageBody, showMessage } from '../../shared/messages/schema.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import { byId } from '../lists.ts';
import type { Resource } from '../resource.ts';

/** The most rows of a part of a thread, and how many when nothing is said. */
const limits = { most: 200, usual: 60 } as const;

const ways = { o: 'older', n: 'newer' } as const;

/** A cursor says which way to read on, and from which row. */
const readCursor = (text: string): ThreadPlace => {
  const to = Object.entries(ways).find(([letter]) => text.startsWith(letter))?.[1];
  const at = byId.readCursor(text.slice(1));
  return to && at !== undefined ? { to, at } : undefined;
};

const showCursor = (letter: keyof typeof ways, row: { id: string } | undefined): string | null =>
  row ? `${letter}${byId.showCursor(row)}` : null;

const threadQuery = z.strictObject({
  around: idOf('message', 'a message').optional().meta({
    description: 'A message of the conversation. It is in the middle, or nearer to an end of the thread.',
  }),
  cursor: z
    .string()
    .max(64)
    .transform((text, ctx): NonNullable<ThreadPlace> => {
      const place = readCursor(text);
      if (place) return place;
      ctx.addIssue({ code: 'custom', message: 'is not a cursor of ours' });
      return z.NEVER;
    })
    .optional()
    .meta({ description: '`older_cursor` or `newer_cursor` of another part.' }),
  limit: inDigits(z.int().min(1).max(limits.most)).default(limits.usual).meta({
    description: 'The most messages, notes and acts together.',
    default: limits.usual,
  }),
});

const cursorOf = (where: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `Null where there is nothing ${where}.` });

const threadBody = z
  .object({
    messages: z.array(messageBody).max(limits.most),
    notes: z.array(noteBody).max(limits.most),
    acts: z.array(actBody).max(limits.most),
    older_cursor: cursorOf('older'),
    newer_cursor: cursorOf('newer'),
  })
  .meta({ id: 'ThreadPart' });

/** A part of a conversation, wherever it is. */
export const addThread = (conversations: Resource, deps: ApiDeps): void =>
  endpoint(
    conversations,
    {
      id: 'readThread',
      method: 'get',
      path: '/conversations/:id/thread',
      summary: 'Read a part of a conversation, around a message or at its end',
      description:
        'Messages, notes and acts of one span of time, each newest first, without a gap. Read on in both directions by `older_cursor` and `newer_cursor`; without `around` and `cursor` it is the newest part.',
      role: 'agent',
      noun: 'conversation',
      query: threadQuery,
      answers: { 200: threadBody },
      refusals: { 404: 'Also when the message of `around` is of another conversation, or was deleted.' },
    },
    async ({ principal: { accountId }, id, query: { around, cursor, limit } }) => {
      if (around !== undefined && cursor) throw invalid({ path: 'cursor', message: 'goes not with around' });
      const { rows, hasOlder, hasNewer } = await deps.reads(accountId, async (sql) => {
        found('conversation', await findConversation(sql, accountId, id));
        if (around === undefined) return readThread(sql, id, { place: cursor, limit });
        const message = await findMessage(sql, accountId, around);
        found('message', message?.conversationId === id ? message : undefined);
        return readThread(sql, id, { place: { to: 'both', at: around }, limit });
      });
      return {
        messages: rows.flatMap((one) => (one.kind === 'message' ? [showMessage(one.row, deps.media.linkTo)] : [])),
        notes: rows.flatMap((one) => (one.kind === 'note' ? [showNote(one.row)] : [])),
        acts: rows.flatMap((one) => (one.kind === 'act' ? [showAct(one.row)] : [])),
        older_cursor: hasOlder ? showCursor('o', rows.at(-1)) : null,
        newer_cursor: hasNewer ? showCursor('n', rows[0]) : null,
      };
    },
  );
