import { useMedia } from '../../media/queries.ts';
import { queueMessages } from '../../messages/outbound/queue-messages.ts';
import type { EffectKind, EffectOf } from './effect.ts';

/** Messages to the contact. They get their numbers when they are written; until then the last one is later than all others. */
export const send: EffectKind<EffectOf<'send'>> = {
  phase: 'conversation',
  see: () => ({ lastSeq: Infinity }),
  store: async (tx, effects, { row, run }) => {
    const { accountId, contactId, channelId } = row;
    const messages = effects.flatMap(({ step, position, messages }) =>
      messages.map((message, index) => ({ ...message, step, position: position + index })),
    );
    if (channelId === null) throw new Error('a run sends without a channel');
    const ids = messages.flatMap(({ attachments = [] }) => attachments.map(({ id }) => id));
    // From now on they are kept as long as their messages.
    if (ids.length > 0) await useMedia(tx.sql, accountId, ids);
    const queued = await queueMessages(tx, { accountId, contactId, channelId, runId: run.id, messages });
    return { lastSeq: queued.at(-1)?.seq };
  },
};
