import { sayFailureDetail } from '../../shared/platform/egress/failure-details.ts';

/** Deliveries, wherever they stand. */
export const deliveryWords = {
  statuses: {
    pending: 'Pending',
    retrying: 'Retrying',
    delivered: 'Delivered',
    failed: 'Failed',
    dropped: 'Dropped',
    parked: 'Parked',
    cancelled: 'Cancelled',
  },
  status: 'Status',
  event: 'Event',
  allEvents: 'All',
  webhook: 'Webhook',
  deletedWebhook: 'A deleted webhook',
  contact: 'Contact',
  anyContact: 'Anyone',
  contactHint: 'Name, e-mail or phone …',
  noContactFound: 'No matching contacts',
  attempts: 'Attempts',
  lastAnswer: 'Answer',
  noAnswer: 'None',
  created: 'Created',
  next: 'Next',
  due: 'Due',
  endedOrNext: 'Finished or next attempt',
  test: 'Test',
  round: (round: number) => `Round ${round}`,
  failures: sayFailureDetail,
  failure: (what: string) => `The endpoint ${what}.`,
} as const;
