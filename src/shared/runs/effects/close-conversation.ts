import { endHandover } from '../../handovers/end.ts';
import { closeOpen, tellClosed } from '../../messages/conversations/close.ts';
import { causeOf } from '../engine/snapshot-row.ts';
import type { EffectKind, EffectOf } from './effect.ts';

/** Closes the open conversation on the channel of the run; what is sent after it opens another. Resolves the handover with it. */
export const closeConversation: EffectKind<EffectOf<'close_conversation'>> = {
  phase: 'conversation',
  see: ({ handover }) => ({ handover: handover?.endsByClosing ? null : handover }),
  store: async (tx, _effects, snapshot) => {
    const { contactId, channelId } = snapshot.row;
    const closed = channelId === null ? undefined : await closeOpen(tx.sql, { contactId, channelId });
    const ending = { contactId, status: 'resolved', if: { conversationId: closed?.id ?? null } } as const;
    await endHandover(tx, ending, { byRunId: snapshot.run.id });
    if (closed) await tellClosed(tx, closed, { cause: causeOf(snapshot) });
  },
};
