import type { InstallationFacts } from '../shared/accounts/schema.ts';
import type { Config } from '../shared/platform/config.ts';

type Settings = Pick<Config, 'baseUrl' | 'apiUrl' | 'retentionDays' | 'egressAllow' | 'egressCa' | 'smtpUrl'>;

/** What the dashboard tells every user of the installation. It has no secret, and no address that only the operator knows. */
export const describeInstallation = (
  { baseUrl, apiUrl, retentionDays, egressAllow, egressCa, smtpUrl }: Settings,
  {
    temporalUiUrl,
    workflowsUrl,
    hasTestEndpoint,
  }: { temporalUiUrl: string | undefined; workflowsUrl: string | undefined; hasTestEndpoint: boolean },
): InstallationFacts => ({
  base_url: baseUrl,
  api_url: apiUrl,
  temporal_ui_url: temporalUiUrl ?? null,
  temporal_workflows_url: workflowsUrl ?? null,
  retention_days: retentionDays,
  private_addresses_allowed: egressAllow.length > 0,
  private_ca_trusted: egressCa !== undefined,
  sends_mail: smtpUrl !== undefined,
  test_endpoint: hasTestEndpoint,
});
