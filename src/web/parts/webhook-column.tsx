import { deliveryWords } from '../words/deliveries.ts';
import { ToIfMay } from './to-if-may.tsx';
import type { Column } from './column.ts';
import type { Webhooks } from './use-webhooks.ts';

/** Which webhook a row of a list is of. */
export const webhookColumn = <Row extends { webhook_id: string }>({ nameOf, sayWebhook }: Webhooks): Column<Row> => ({
  key: 'webhook',
  heading: deliveryWords.webhook,
  width: '30%',
  card: 'line',
  show: ({ webhook_id: id }) => {
    const name = nameOf(id);
    return name === undefined ? sayWebhook(id) : <ToIfMay to={`/settings/webhooks/${id}`}>{name}</ToIfMay>;
  },
});
