import { Badge } from '@mantine/core';
import { t as say } from 'i18next';
import type { Schemas } from '../api/client.ts';
import type { Column } from './data-table.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import { Time } from './time.tsx';
import { To } from './to.tsx';
import { useNow } from './use-now.ts';

type Delivery = Schemas['Delivery'];

/** What a list of deliveries shows of each; `whose` stands in the middle where it is of several webhooks. */
export const deliveryColumns = (whose: readonly Column<Delivery>[] = []): Column<Delivery>[] => [
  { heading: say('deliveries:event'), show: (delivery) => <EventOf delivery={delivery} /> },
  { heading: say('deliveries:status'), show: ({ status }) => <DeliveryStatus status={status} /> },
  ...whose,
  { heading: say('deliveries:attempts'), align: 'right', show: ({ attempts_made }) => attempts_made },
  { heading: say('deliveries:created'), show: ({ created_at }) => <Time at={created_at} format="short" /> },
  { heading: say('deliveries:endedOrNext'), show: (delivery) => <EndOf delivery={delivery} /> },
];

const EventOf = ({ delivery: { id, event, is_test, round } }: { delivery: Delivery }) => {
  const link = <To to={`/settings/logs/delivery/${id}`}>{event}</To>;
  if (!is_test && round === 1) return link;
  return (
    <span className="beside">
      {link}
      {is_test && (
        <Badge size="sm" variant="default" tt="none" miw="max-content">
          {say('deliveries:test')}
        </Badge>
      )}
      {round > 1 && (
        <Badge size="sm" variant="default" tt="none" miw="max-content">
          {say('deliveries:round', { round })}
        </Badge>
      )}
    </span>
  );
};

const EndOf = ({ delivery: { finished_at, next_attempt_at } }: { delivery: Delivery }) => {
  if (finished_at) return <Time at={finished_at} format="short" />;
  return next_attempt_at && <NextAttempt at={next_attempt_at} />;
};

/** An attempt that waits for its turn says since when it is due. */
const NextAttempt = ({ at }: { at: string }) => {
  const isDue = new Date(at).getTime() <= useNow();
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {say(isDue ? 'deliveries:due' : 'deliveries:next')} <Time at={at} format={isDue ? 'ago' : 'ahead'} />
    </span>
  );
};
