import { z } from 'zod';

/** The hours that the health of a webhook tells, the present one included. */
export const healthHours = 24;

/** The most deliveries of a webhook that are read of the hours that are not rolled up: the latest. */
export const liveDeliveriesAtMost = 200;

export const webhookHealth = z
  .object({
    failing_since: z.iso.datetime().nullable().meta({
      description:
        'Since when an active webhook has been failing: a delivery has failed twice or more, and none has succeeded since its first attempt. Otherwise null.',
    }),
    success_rate: z
      .number()
      .nullable()
      .meta({ description: 'The share of the attempts in `hours` that succeeded, from 0 to 1; null without any.' }),
    hours: z.array(z.object({ at: z.iso.datetime(), succeeded: z.int(), failed: z.int() })).meta({
      description: `Attempts of the last ${healthHours} hours, in order. Of the latest hour or two, at most ${liveDeliveriesAtMost} deliveries are counted.`,
    }),
  })
  .meta({ id: 'WebhookHealth', description: 'How deliveries to a webhook have gone within a day.' });

export type WebhookHealth = z.infer<typeof webhookHealth>;
