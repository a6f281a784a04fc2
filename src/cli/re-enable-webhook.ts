import { findAccount } from '../shared/accounts/queries.ts';
import type { Config } from '../shared/platform/config.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import { createEgress } from '../shared/platform/egress/client.ts';
import { showId } from '../shared/ids.ts';
import { checkHealth } from '../shared/deliveries/health-check.ts';
import { sayCount } from '../shared/replays/count.ts';
import { prepareChoice, reEnable } from '../shared/replays/re-enable.ts';
import { showBegun, type BegunReplay, type ReplayChoice } from '../shared/replays/schema.ts';
import { openSecrets } from '../shared/platform/secrets/master-key.ts';
import { getDisabledWebhook } from '../shared/webhooks/manage.ts';
import { requirePlan } from '../shared/webhooks/preconditions.ts';
import { showCheckedApiWebhook, type EndpointCheck, type WebhookRow } from '../shared/webhooks/schema.ts';
import type { Answer } from './answer.ts';
import { leaveToSweep } from './leave-to-sweep.ts';
import type { RowInput } from './row-commands.ts';
import { workflowUrlOf } from './workflow-url.ts';

/**
 * Re-enables a disabled webhook as the API does. This process asks the endpoint, with its own egress settings, because the service need not run.
 * The sweep of a running service begins the replay. Exit code 1 when the webhook stays disabled.
 */
export const reEnableWebhook = async ({ config, db, scope, id }: RowInput, choice: ReplayChoice): Promise<Answer> => {
  const webhook = await getDisabledWebhook(db, scope, id);
  const account = await findAccount(db, scope.accountId);
  requirePlan(account?.plan ?? 'free');
  const chosen = await prepareChoice(db, scope, { webhookId: id, choice });
  const check = await askOnce(config, { db, webhook });
  const { webhook: settled, replay } = await leaveToSweep(db, (tx) => reEnable(tx, { webhook, check, chosen }));
  const begun = showBegun({ replay, chosen }, await workflowUrlOf(config));
  return {
    document: { ...showCheckedApiWebhook(settled), variant: settled.variant, ...begun },
    text: sayOutcome(showId('webhook', id), { settled, check, begun }),
    failed: settled.status === 'disabled',
  };
};

type Outcome = { settled: WebhookRow; check: EndpointCheck; begun: BegunReplay };

const sayOutcome = (webhook: string, { settled, check, begun: { replay, replay_found: found } }: Outcome): string => {
  if (settled.status === 'disabled') return `${webhook} stays disabled. Its endpoint: ${sayCheck(check)}.`;
  if (!replay || !found) return `${webhook} is active again.`;
  const { parked, failed, dropped } = found;
  return `${webhook} is active again. ${replay.id} sends ${sayCount(parked)} parked, ${sayCount(failed)} failed and ${sayCount(dropped)} dropped.`;
};

const askOnce = async (
  config: Config,
  { db, webhook }: { db: Database; webhook: WebhookRow },
): Promise<EndpointCheck> => {
  const egress = createEgress({ allow: config.egressAllow, extraCa: config.egressCa });
  try {
    return await checkHealth({ db, egress, secrets: await openSecrets(config) }, webhook);
  } finally {
    await egress.close();
  }
};

/** What came of asking an endpoint. */
export const sayCheck = ({ ok, message, latency_ms }: EndpointCheck): string =>
  `${ok ? 'answered correctly' : message} after ${Math.round(latency_ms)} ms`;
