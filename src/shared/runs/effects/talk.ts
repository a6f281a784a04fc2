import { closeOpen, type Closed } from '../../messages/conversations/close.ts';
import { queueMessages } from '../../messages/outbound/queue-messages.ts';
import type { EventTransaction } from '../../events/emit.ts';
import type { Effect } from '../../flows/blocks/block.ts';
import { insertHandover } from '../../handovers/queries.ts';
import type { HandoverRow } from '../../handovers/schema.ts';
import { endHandover } from '../end-handover.ts';
import type { StepEffect } from '../engine/snapshot.ts';
import type { ReadScene } from '../engine/snapshot-row.ts';

type Talked = {
  /** The sequence number of the last message; undefined when none was sent. */
  lastSeq: number | undefined;
  /** The conversations that were closed, and the handover that was opened, which nobody has been told of yet. */
  closed: readonly Closed[];
  requested: readonly HandoverRow[];
};

const nothingSaid: Talked = { lastSeq: undefined, closed: [], requested: [] };

/**
 * Sends messages, closes conversations, opens and ends handovers, in their order: what is sent after a closing opens another conversation, and a
 * handover is of the one that is open then.
 */
export const talk = async (tx: EventTransaction, scene: ReadScene, effects: readonly StepEffect[]): Promise<Talked> => {
  const at = effects.findIndex(({ effect }) => isTurn(effect));
  const turn = effects[at]?.effect;
  if (!turn) return { ...nothingSaid, lastSeq: await sendMessages(tx, scene, effects) };
  const before = await sendMessages(tx, scene, effects.slice(0, at));
  const turned = await takeTurn(tx, scene, turn);
  const after = await talk(tx, scene, effects.slice(at + 1));
  return {
    lastSeq: after.lastSeq ?? before,
    closed: [...turned.closed, ...after.closed],
    requested: [...turned.requested, ...after.requested],
  };
};

const isTurn = ({ type }: Effect): boolean =>
  type === 'close_conversation' || type === 'request_handover' || type === 'expire_handover';

const takeTurn = async (tx: EventTransaction, { row, run }: ReadScene, effect: Effect): Promise<Talked> => {
  const { accountId, contactId, channelId } = row;
  if (effect.type === 'request_handover') {
    const asked = { accountId, contactId, about: { channelId }, reason: effect.reason, runId: run.id };
    const opened = await insertHandover(tx.sql, { ...asked, requestedBy: 'flow' });
    return { ...nothingSaid, requested: opened ? [opened] : [] };
  }
  if (effect.type === 'expire_handover') {
    await endHandover(tx, { contactId, status: 'expired', if: { runId: run.id } }, { except: run.id });
    return nothingSaid;
  }
  const closed = channelId === null ? undefined : await closeOpen(tx.sql, { contactId, channelId });
  const ending = { contactId, status: 'resolved', if: { conversationId: closed?.id ?? null } } as const;
  await endHandover(tx, ending, { except: run.id });
  return { ...nothingSaid, closed: closed ? [closed] : [] };
};

/** Answers the sequence number of the last message; undefined when none was sent. */
const sendMessages = async (
  tx: EventTransaction,
  { row, run }: ReadScene,
  effects: readonly StepEffect[],
): Promise<number | undefined> => {
  const { accountId, contactId, channelId } = row;
  const messages = effects.flatMap(({ step, position, effect }) =>
    effect.type === 'send'
      ? effect.messages.map((message, index) => ({ ...message, step, position: position + index }))
      : [],
  );
  if (messages.length === 0) return undefined;
  if (channelId === null) throw new Error('a run sends without a channel');
  const queued = await queueMessages(tx, { accountId, contactId, channelId, runId: run.id, messages });
  return queued.at(-1)?.seq;
};
