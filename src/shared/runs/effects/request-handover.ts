import { insertHandover } from '../../handovers/queries.ts';
import { tellRequested } from '../../handovers/request.ts';
import { causeOf } from '../engine/snapshot-row.ts';
import type { EffectKind, EffectOf } from './effect.ts';

/** Requests a handover of the conversation that is open then, unless the contact has an open one. */
export const requestHandover: EffectKind<EffectOf<'request_handover'>> = {
  phase: 'conversation',
  see: ({ handover }) => ({ handover: handover ?? { endsByClosing: true, endsByExpiring: true } }),
  store: async (tx, [effect], snapshot) => {
    const { row, run } = snapshot;
    const { accountId, contactId, channelId } = row;
    const asked = { accountId, contactId, about: { channelId }, requestedBy: 'flow', runId: run.id } as const;
    const handover = effect && (await insertHandover(tx.sql, { ...asked, reason: effect.reason }));
    if (handover) await tellRequested(tx, { accountId, handover, cause: causeOf(snapshot) });
  },
};
