import type { Schemas } from '../../api/client.ts';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { Count } from './count.tsx';
import { Events } from './events.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import { words } from './words.ts';

/** What a webhook is, and what is on its way to it. */
export const WebhookFacts = ({ webhook }: { webhook: Schemas['DashboardWebhookDetail'] }) => {
  const { id, url, variant, events, created_at, verified_at, backlog } = webhook;
  const inLog = (of: keyof typeof backlog) => (
    <To to={`/settings/logs/delivery?status=${of}&webhook_id=${id}`}>
      <Count count={backlog[of]} of="one" />
    </To>
  );
  return (
    <Facts
      facts={[
        [words.status, <WebhookStatus key="status" webhook={webhook} />],
        [words.url, <Copyable key="url" value={url} label={words.url} />],
        [words.events, <Events key="events" names={events} />],
        [words.variant, words.variants[variant]],
        [words.secretOf, words.secretsOf[variant]],
        [words.id, <Copyable key="id" value={id} label={words.id} />],
        [words.created, <Time key="created" at={created_at} />],
        [words.verified[variant], verified_at && <Time key="verified" at={verified_at} />],
        ...(['pending', 'retrying', 'parked'] as const).map((of) => [words[of], inLog(of)] as const),
      ]}
    />
  );
};
