import { showId } from '../ids.ts';
import { greet } from './greet.ts';
import { nameInMail } from './name-in-mail.ts';
import type { NewMail } from './queries.ts';

/** A run that has failed, and the owner who gets the mail; ids are UUIDs. `reason` is a word of the engine, or a block and its port. */
export type FailedRun = {
  accountId: string;
  userId: string;
  recipient: string;
  recipientName: string | null;
  flowId: string;
  flowName: string;
  runId: string;
  blockId: string;
  reason: string;
  failedAt: Date;
};

/** The e-mail that tells an owner that runs of a flow fail: one per flow, owner and hour of the clock, about the first of them. */
export const createFlowFailingMail = (
  run: FailedRun,
  { baseUrl, apiUrl }: { baseUrl: string; apiUrl: string },
): NewMail => {
  const flowId = showId('flow', run.flowId);
  const runId = showId('run', run.runId);
  const name = nameInMail(run.flowName);
  const hour = run.failedAt.toISOString().slice(0, 13);
  return {
    accountId: run.accountId,
    kind: 'flow_failing',
    dedupKey: `flow_failing/${run.flowId}/${run.userId}/${hour}`,
    recipient: run.recipient,
    subject: `Your flow "${name}" is failing`,
    body: `${greet(run.recipientName)}

a run of your flow "${name}" failed at ${run.failedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC.

  Run     ${runId}
  Block   ${run.blockId}
  Reason  ${run.reason}

Open the run to see what happened and to retry it:

  ${baseUrl}/runs/${runId}

We send this mail at most once an hour, so more runs may have failed. All failed runs:

  ${baseUrl}/runs?flow=${flowId}&status=failed

To list them by API:

  curl '${apiUrl}/v1/runs?flow_id=${flowId}&status=failed' -H 'Authorization: Bearer <API key>'

To retry one:

  curl -X POST ${apiUrl}/v1/runs/<run>/retry -H 'Authorization: Bearer <API key>'

Parley
`,
  };
};
