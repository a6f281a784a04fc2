import { showId } from '../ids.ts';
import { startOf, type Work } from '../platform/dispatch/work.ts';
import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { workflowIdOf } from '../platform/temporal/workflow-id.ts';
import type { SendMailWorkflow } from './types.ts';

/** Mails to account holders, each carried by a workflow `sendMail`. */
export const mailWork: Work = {
  kind: 'mail',
  table: 'mails',
  columns: (sql) => sql`id, account_id, resumes`,
  workflowId: (row) => workflowIdOf('mail', row),
  lane: ({ accountId }) => ({ accountId, key: accountId }),
  start: ({ id, accountId }) =>
    startOf<SendMailWorkflow>('sendMail', [{ mailId: showId('mail', id) }], {
      taskQueue: taskQueues.mail,
      staticSummary: 'e-mail to an account holder',
      typedSearchAttributes: [{ key: searchAttributes.accountId, value: showId('account', accountId) }],
    }),
};
