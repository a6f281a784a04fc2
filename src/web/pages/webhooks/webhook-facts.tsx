import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { Count } from './count.tsx';
import { Events } from './events.tsx';
import { WebhookStatus } from './webhook-status.tsx';

/** What a webhook is, and what is on its way to it. */
export const WebhookFacts = ({ webhook }: { webhook: Schemas['DashboardWebhookDetail'] }) => {
  const { t } = useTranslation('webhooks');
  const { id, url, variant, events, created_at, verified_at, backlog } = webhook;
  const inLog = (of: keyof typeof backlog) => (
    <To to={`/settings/logs/delivery?status=${of}&webhook_id=${id}`}>
      <Count count={backlog[of]} of="one" />
    </To>
  );
  return (
    <Facts
      facts={[
        [t('status'), <WebhookStatus key="status" webhook={webhook} />],
        [t('url'), <Copyable key="url" value={url} label={t('url')} />],
        [t('events'), <Events key="events" names={events} />],
        [t('variant'), t(`variants.${variant}`)],
        [t('secretOf'), t(`secretsOf.${variant}`)],
        [t('id'), <Copyable key="id" value={id} label={t('id')} />],
        [t('created'), <Time key="created" at={created_at} />],
        [t(`verified.${variant}`), verified_at && <Time key="verified" at={verified_at} />],
        ...(['pending', 'retrying', 'parked'] as const).map((of) => [t(of), inLog(of)] as const),
      ]}
    />
  );
};
