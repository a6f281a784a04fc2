import { deliveryWork, type DeliveryWorkRow } from '../../src/shared/deliveries/work.ts';
import type { WorkItem } from '../../src/shared/platform/dispatch/work.ts';

/** Those of the items that are deliveries. */
export const deliveriesOf = (items: readonly WorkItem[]): DeliveryWorkRow[] =>
  items.flatMap(({ work, row }) => (work.kind === deliveryWork.kind ? [row as DeliveryWorkRow] : []));
