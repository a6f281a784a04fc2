import { z } from 'zod';
import { anyJson, asStored, codec, id, idOf, time, type RowOf } from '../codec.ts';
import { smallRecord } from '../custom-fields/json.ts';
import type { ToldOrder } from '../facts/told-order.ts';
import { showId } from '../ids.ts';
import { label } from '../label.ts';
import { writtenTime } from '../times/storable-time.ts';

/** The most items of an order, and how many of its statuses are kept: the latest. */
export const orderLimits = { items: 100, statuses: 100 } as const;

const externalId = z.string().min(1).max(255).meta({
  description: "The order's id in your own system. A repeated id changes the order.",
});

/** A status of an order: the specification names none, so that it is a word of the account's own. */
export const orderStatus = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'must be one word of the letters a to z, digits, _ and -')
  .max(64)
  .meta({ description: 'A word of your own, such as shipped or on-hold; kept in small letters.', example: 'shipped' });

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const currency = z
  .string()
  .max(3)
  .refine((code) => currencies.has(code), 'must be a currency of ISO 4217 such as "EUR"')
  .meta({ description: 'ISO 4217, in capitals.', example: 'EUR' });

const money = z.int().min(0).meta({ description: 'In minor units of the currency: 4990 is 49.90 EUR.' });

const item = z
  .strictObject({
    name: label,
    sku: label.nullable().default(null),
    quantity: z.int().min(1).max(1_000_000).default(1),
    unit_price: money.nullable().default(null),
  })
  .meta({ id: 'OrderItem' });

const metadata = smallRecord('Other data that you want to keep with the order.');

const zoneless = 'Without a zone it is on the clock of the contact, else of the account.';

const changedAt = writtenTime.optional().meta({
  format: 'date-time',
  description: `When it got this status; now if omitted, at most 5 minutes ahead. A status older than the current one only goes into \`status_history\`. ${zoneless}`,
});

export const newOrder = z
  .strictObject({
    external_id: externalId,
    contact_id: idOf('contact', 'a contact'),
    number: label.meta({ description: 'As the contact knows it.', example: '#1042' }),
    status: orderStatus,
    currency,
    total: money,
    items: z.array(item).max(orderLimits.items),
    placed_at: writtenTime.optional().meta({
      format: 'date-time',
      description: `If omitted: now for a new order, unchanged for a known one. ${zoneless}`,
    }),
    changed_at: changedAt,
    metadata: metadata.optional().meta({ description: 'Unchanged for a known order if omitted.' }),
  })
  .meta({
    id: 'NewOrder',
    example: {
      external_id: '4711',
      contact_id: 'con_01jd6z3qf5e8pb2zv0w8c4x1kn',
      number: '#1042',
      status: 'placed',
      currency: 'EUR',
      total: 4_990,
      items: [{ name: 'Shirt, blue', sku: 'SH-7', quantity: 2, unit_price: 2_495 }],
    },
  });

export type NewOrder = z.infer<typeof newOrder>;

export const orderChanges = z
  .strictObject({ status: orderStatus, changed_at: changedAt })
  .meta({ id: 'OrderChanges', example: { status: 'shipped', changed_at: '2026-11-20T08:15:00Z' } });

export type OrderChanges = z.infer<typeof orderChanges>;

/** Which orders a list shows. */
export const orderFilters = {
  contact_id: idOf('contact', 'a contact').optional(),
  status: orderStatus.optional(),
  external_id: externalId.optional().meta({ description: 'Only the order with this id in your own system.' }),
};

const fields = {
  id: id('order'),
  external_id: asStored(z.string()),
  contact_id: id('contact'),
  number: asStored(z.string()),
  status: asStored(z.string()),
  currency: asStored(z.string()),
  total: asStored(money),
  placed_at: time(),
  metadata: asStored(z.record(z.string(), anyJson)),
  created_at: time(),
  updated_at: time(),
} as const;

const listedOrder = codec(fields);

export const listedOrderBody = listedOrder.body.meta({ id: 'ListedOrder' });

/** An order as lists have it; ids are UUIDs. */
export type ListedOrderRow = RowOf<typeof listedOrder>;

export const showListedOrder = listedOrder.show;

const hadStatus = z.object({ status: z.string(), changed_at: z.iso.datetime() });

/** A status of an order, and since when it had it. */
export type HadStatus = z.infer<typeof hadStatus>;

const order = codec({
  ...fields,
  items: asStored(z.array(item)),
  status_history: {
    schema: z.array(hadStatus).meta({
      description: `Its statuses by time, the current one last; the latest ${orderLimits.statuses}.`,
    }),
    show: (had: readonly HadStatus[]) =>
      had.map(({ status, changed_at }) => ({ status, changed_at: new Date(changed_at).toISOString() })),
  },
});

export const orderBody = order.body.meta({ id: 'Order' });

/** An order as it is stored; ids are UUIDs. */
export type OrderRow = RowOf<typeof order>;

/** An order as the API shows it. */
export const showOrder = order.show;

/** An order as events tell it. */
export const tellOrder = (row: ListedOrderRow): ToldOrder => ({
  id: showId('order', row.id),
  external_id: row.externalId,
  number: row.number,
  status: row.status,
  currency: row.currency,
  total: row.total,
  placed_at: row.placedAt.toISOString(),
});
