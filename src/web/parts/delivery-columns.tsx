import { Badge } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { deliveryWords } from '../words/deliveries.ts';
import type { Column } from './column.ts';
import { DeliveryStatus } from './delivery-status.tsx';
import { eventKind } from './kinds/event-kinds.ts';
import { KindIcon } from './kinds/kind-icon.tsx';
import { Time } from './time.tsx';
import { To } from './to.tsx';
import { useNow } from './use-now.ts';

type Delivery = Schemas['Delivery'];

/** The page of a delivery. */
export const linkOfDelivery = ({ id }: { id: string }): string => `/settings/logs/delivery/${id}`;

/** What a list of deliveries shows of each; `whose` stands in the middle where it is of several webhooks. */
export const deliveryColumns = (whose: readonly Column<Delivery>[] = []): Column<Delivery>[] => [
  { heading: deliveryWords.event, show: (delivery) => <EventOf delivery={delivery} /> },
  {
    key: 'status',
    heading: deliveryWords.status,
    card: 'end',
    show: ({ status }) => <DeliveryStatus status={status} />,
  },
  ...whose,
  {
    key: 'attempts',
    heading: deliveryWords.attempts,
    align: 'right',
    card: 'hidden',
    show: ({ attempts_made }) => attempts_made,
  },
  {
    key: 'last_answer',
    heading: deliveryWords.lastAnswer,
    card: 'hidden',
    show: (delivery) => <LastAnswer delivery={delivery} />,
  },
  {
    key: 'created',
    heading: deliveryWords.created,
    card: 'aside',
    show: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: 'ended',
    heading: deliveryWords.endedOrNext,
    card: 'hidden',
    show: (delivery) => <EndOf delivery={delivery} />,
  },
];

const EventOf = ({ delivery: { id, event, is_test, round } }: { delivery: Delivery }) => {
  const link = (
    <span className="with-mark">
      <KindIcon kind={eventKind(event)} />
      <To to={linkOfDelivery({ id })}>{event}</To>
    </span>
  );
  if (!is_test && round === 1) return link;
  return (
    <span className="beside">
      {link}
      {is_test && (
        <Badge size="sm" variant="default" tt="none" miw="max-content">
          {deliveryWords.test}
        </Badge>
      )}
      {round > 1 && (
        <Badge size="sm" variant="default" tt="none" miw="max-content">
          {deliveryWords.round(round)}
        </Badge>
      )}
    </span>
  );
};

/** Of a delivery that was attempted: the status of its last answer, which is the first thing to know of one that failed. */
const LastAnswer = ({ delivery: { status, attempts_made, last_status_code: code } }: { delivery: Delivery }) => {
  if (code === null) return attempts_made > 0 && deliveryWords.noAnswer;
  return (
    <span className="answer" data-tone={status === 'delivered' ? 'good' : 'bad'}>
      {code}
    </span>
  );
};

const EndOf = ({ delivery: { finished_at, next_attempt_at } }: { delivery: Delivery }) => {
  if (finished_at) return <Time at={finished_at} />;
  return next_attempt_at && <NextAttempt at={next_attempt_at} />;
};

/** An attempt that waits for its turn says since when it is due. */
const NextAttempt = ({ at }: { at: string }) => {
  const isDue = new Date(at).getTime() <= useNow();
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {isDue ? deliveryWords.due : deliveryWords.next} <Time at={at} format={isDue ? 'auto' : 'ahead'} />
    </span>
  );
};
