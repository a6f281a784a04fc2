import { changed } from '../facts/changed.ts';
import type { EventTransact } from '../facts/tell.ts';
import { checkPreconditions } from '../webhooks/preconditions.ts';
import { endRound, type Round, type RoundEnd } from './rounds.ts';

type Parked = Round & { webhookId: string; isTest: boolean };

/** `lockTimeoutMs` is for each lock. `withoutWorkflow` says that no workflow carries the round. */
type How = { lockTimeoutMs: number; withoutWorkflow?: boolean };

/**
 * Parks a delivery under the locks of `checkPreconditions`, so that whoever re-enables the webhook or changes the plan finds it parked. Cancels test
 * events and deliveries of a deleted webhook instead. Throws when a lock is not granted, or when the webhook may be sent to after all.
 */
export const parkDelivery = (
  transact: EventTransact,
  { deliveryId, round, webhookId, isTest }: Parked,
  { lockTimeoutMs, withoutWorkflow = false }: How,
): Promise<RoundEnd> =>
  transact(async ({ sql, tell }) => {
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
    const unmet = (await checkPreconditions(sql, [webhookId])).get(webhookId);
    if (unmet === null) throw new Error('the webhook may be sent to again');
    const isKept = !isTest && unmet !== undefined && unmet !== 'webhook_deleted';
    if (withoutWorkflow) await sql`update deliveries set without_workflow = true where id = ${deliveryId}`;
    const end = await endRound(sql, { deliveryId, round }, isKept ? 'parked' : 'cancelled');
    if (end.accountId !== undefined) await tell(changed(end.accountId, 'deliveries'));
    return end;
  });
