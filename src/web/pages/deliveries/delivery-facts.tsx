import { Group, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { DeliveryStatus } from '../../parts/delivery-status.tsx';
import { Facts } from '../../parts/facts.tsx';
import { OutLink } from '../../parts/out-link.tsx';
import { Time } from '../../parts/time.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { To } from '../../parts/to.tsx';
import { ToIfMay } from '../../parts/to-if-may.tsx';
import { deliveryWords } from '../../words/deliveries.ts';
import { temporalWords } from '../../words/temporal.ts';
import { words } from './words.ts';

type Delivery = Schemas['DeliveryDetail'];

/** What a delivery is of, and how it stands. */
export const DeliveryFacts = ({ delivery }: { delivery: Delivery }) => {
  const { nameOf, sayWebhook } = useWebhooks();
  const { id, status, parked_reason, event, event_id, webhook_id, contact_id, is_test, round, rounds } = delivery;
  const url = nameOf(webhook_id);
  const begunBy = rounds.at(-1)?.begun_by ?? 'unknown';
  return (
    <Facts
      facts={[
        [
          deliveryWords.status,
          <Group gap="xs" key="status">
            <DeliveryStatus status={status} />
            {is_test && deliveryWords.test}
            {status === 'parked' && <Text size="sm">{words.parkedBecause[parked_reason ?? 'none']}</Text>}
          </Group>,
        ],
        // That of a test has not happened, so that the log of events has none of its id.
        [
          deliveryWords.event,
          is_test ? (
            event
          ) : (
            <To key="event" to={`/settings/logs/events/${event_id}`}>
              {event}
            </To>
          ),
        ],
        [
          deliveryWords.webhook,
          url === undefined ? (
            sayWebhook(webhook_id)
          ) : (
            <ToIfMay key="webhook" to={`/settings/webhooks/${webhook_id}`}>
              {url}
            </ToIfMay>
          ),
        ],
        [deliveryWords.contact, contact_id && <ContactLink key="contact" id={contact_id} />],
        [deliveryWords.created, <Time key="created" at={delivery.created_at} format="exact" />],
        [words.ended, delivery.finished_at && <Time key="ended" at={delivery.finished_at} format="exact" />],
        [words.roundHead, round > 1 ? `${round}: ${words.roundBegun[begunBy]}` : null],
        [temporalWords.workflow, <Workflow key="workflow" delivery={delivery} />],
        [words.id, <Copyable key="id" value={id} label={words.id} />],
      ]}
    />
  );
};

/** The workflow that carries the delivery, or why there is none to see. */
const Workflow = ({ delivery: { workflow_url, without_workflow } }: { delivery: Delivery }) => {
  const { installation } = useSignedIn();
  if (workflow_url !== null) return <OutLink href={workflow_url}>{temporalWords.open}</OutLink>;
  if (without_workflow) return words.withoutWorkflow;
  return installation.temporal_ui_url === null ? words.noTemporalUi : words.noWorkflowYet;
};
