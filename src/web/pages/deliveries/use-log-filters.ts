import { eventNames, type EventName } from '../../../shared/facts/names.ts';
import { deliveryStatuses, type DeliveryStatus } from '../../../shared/deliveries/types.ts';
import { useFilters } from '../../parts/use-filters.ts';

const names = [
  'status',
  'webhook_id',
  'event',
  'event_id',
  'contact_id',
  'message_id',
  'test',
  'since',
  'until',
] as const;

/** In the place of statuses: all of them. */
const all = 'all';

/** What the log shows when nothing else was asked for: what went wrong for good, and what did so far. */
const failing: readonly DeliveryStatus[] = ['failed', 'dropped', 'retrying'];

type Changes = Parameters<ReturnType<typeof useFilters<(typeof names)[number]>>['setFilters']>[0];

/** The filters of the delivery log as its url has them. */
export type LogFilters = {
  /** None for all. */
  statuses: readonly DeliveryStatus[];
  event: EventName | undefined;
  test: 'true' | 'false' | undefined;
} & { [Name in 'webhook_id' | 'event_id' | 'contact_id' | 'message_id' | 'since' | 'until']: string | undefined };

/** A time of the url; undefined for what is none. */
const readTime = (text: string | undefined): string | undefined =>
  text !== undefined && Number.isNaN(Date.parse(text)) ? undefined : text;

/** The filters that the url names; failing deliveries where it names no status. */
export const useLogFilters = () => {
  const { filters, setFilters, isFiltered, clear } = useFilters(names);
  const { status, event, test, webhook_id, event_id, contact_id, message_id, since, until } = filters;
  const asked = status?.split(',') ?? failing;
  const shown: LogFilters = {
    statuses: deliveryStatuses.filter((one) => asked.includes(one)),
    event: eventNames.find((name) => name === event),
    test: test === 'true' || test === 'false' ? test : undefined,
    webhook_id,
    event_id,
    contact_id,
    message_id,
    since: readTime(since),
    until: readTime(until),
  };
  const setStatuses = (statuses: readonly string[]): void => {
    const isUsual = statuses.length === failing.length && failing.every((one) => statuses.includes(one));
    setFilters({ status: isUsual ? null : statuses.join(',') || all });
  };
  const change = (changes: Omit<Changes, 'status'>): void => setFilters(changes);
  return { filters: shown, setStatuses, change, clear, isFiltered };
};

/** The same as `GET /deliveries` takes them. */
export const toQuery = ({ statuses, ...filters }: LogFilters) => {
  const query = { ...filters, status: statuses.length > 0 ? statuses.join(',') : undefined };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) satisfies Partial<
    typeof query
  >;
};
