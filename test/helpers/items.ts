import { deliveryWork, type DeliveryWorkRow } from '../../src/shared/deliveries/work.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { asItem, type WorkItem } from '../../src/shared/platform/dispatch/work.ts';

/** A delivery of this account as an item, of which no row is stored; a retry where `attemptsMade` is not 0. */
export const aDeliveryItem = (accountId: string, attemptsMade = 0): WorkItem =>
  asItem(deliveryWork, {
    id: newUuid(),
    accountId,
    webhookId: newUuid(),
    contactId: null,
    eventName: 'new_message',
    variant: 'api',
    round: 1,
    resumes: 0,
    attemptsMade,
    isTest: false,
  });

/** Those of the items that are deliveries. */
export const deliveriesOf = (items: readonly WorkItem[]): DeliveryWorkRow[] =>
  items.flatMap(({ work, row }) => (work.kind === deliveryWork.kind ? [row as DeliveryWorkRow] : []));
