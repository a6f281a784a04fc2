import { readId } from '../../ids.ts';
import { causeOf } from '../engine/snapshot-row.ts';
import { insertRun } from '../life/insert-run.ts';
import type { EffectKind, EffectOf } from './effect.ts';

/** Starts a run of another flow: a child, which this run waits for, or one that the contact goes on in. */
export const startFlow: EffectKind<EffectOf<'start_flow'>> = {
  phase: 'flows',
  refuse: ({ targets }, { flowId }) => targets.get(flowId) ?? null,
  store: async (tx, effects, snapshot) => {
    const { row, run } = snapshot;
    const { accountId, contactId, channelId } = row;
    let switchedTo: string | undefined;
    for (const { step, flowId, mode, params } of effects) {
      const parent = mode === 'child' ? { id: run.id, step, rootRunId: run.rootRunId } : undefined;
      const asked = { accountId, contactId, channelId, flowId: readId('flow', flowId), params };
      const started = await insertRun(tx, { ...asked, parent, cause: causeOf(snapshot) });
      if (!parent && typeof started === 'object') switchedTo = started.id;
    }
    return { switchedTo };
  },
};
