export { applyRetention } from './apply-retention.ts';
export { deliverEvent } from './deliver-event.ts';
export { replayDeliveries } from './replay-deliveries.ts';
export { retryRuns } from './retry-runs.ts';
export { runFlow } from './run-flow.ts';
export { sendMail } from './send-mail.ts';
export { sendMessages } from './send-messages.ts';
