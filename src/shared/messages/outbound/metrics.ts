import { Counter, type Registry } from 'prom-client';
import type { EndStatus, OutboundReason } from './types.ts';

/** Counts the attempts at messages by outcome, and messages by what they ended as. */
export type OutboundMetrics = {
  messageAttempted: (outcome: 'sent' | 'failed', reason?: OutboundReason) => void;
  /** `way` is what has recorded the end. */
  messageEnded: (status: EndStatus, way: 'outbox' | 'workflow') => void;
};

/** Creates the instruments; docs/metrics.md describes them. Labels are enums, so that their values stay few. */
export const createOutboundMetrics = (registry: Registry): OutboundMetrics => {
  const attempts = new Counter({
    name: 'parley_message_attempts_total',
    help: 'Attempts to send a message to its channel, by what came of them',
    labelNames: ['outcome', 'reason'],
    registers: [registry],
  });
  const ended = new Counter({
    name: 'parley_messages_ended_total',
    help: 'Messages to contacts that ended, by their status, in the outbox or a workflow',
    labelNames: ['status', 'way'],
    registers: [registry],
  });
  return {
    messageAttempted: (outcome, reason) => attempts.inc({ outcome, reason: reason ?? '' }),
    messageEnded: (status, way) => ended.inc({ status, way }),
  };
};
