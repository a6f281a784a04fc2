import { z } from 'zod';
import { sampleIds } from './sample-ids.ts';

/** An order as facts tell it; `total` is in minor units of the currency, and `placed_at` ISO 8601 in UTC. */
export const toldOrder = z.object({
  id: z.string().meta({ description: 'As GET /v1/orders/{id} takes it.' }),
  external_id: z.string(),
  number: z.string(),
  status: z.string().meta({ description: 'The status from this event on.' }),
  currency: z.string().meta({ description: 'ISO 4217.' }),
  total: z.int().meta({ description: 'In minor units of the currency, as cents.' }),
  placed_at: z.iso.datetime(),
});

export type ToldOrder = z.infer<typeof toldOrder>;

/** An order of samples. */
export const sampleOrder = (status: string, placedAt: Date): ToldOrder => ({
  id: sampleIds.order,
  external_id: 'test-1',
  number: 'TEST-1',
  status,
  currency: 'EUR',
  total: 4_990,
  placed_at: placedAt.toISOString(),
});
