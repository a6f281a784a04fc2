import { endHandover } from '../../handovers/end.ts';
import type { EffectKind, EffectOf } from './effect.ts';

/** Ends the open handover if this run has requested it. */
export const expireHandover: EffectKind<EffectOf<'expire_handover'>> = {
  phase: 'conversation',
  see: ({ handover }) => ({ handover: handover?.endsByExpiring ? null : handover }),
  store: async (tx, _effects, { row: { contactId }, run }) => {
    await endHandover(tx, { contactId, status: 'expired', if: { runId: run.id } }, { byRunId: run.id });
  },
};
