import { z } from 'zod';
import { anyJson } from '../codec.ts';
import { events } from '../facts/facts.ts';
import { eventNames, variants } from '../facts/names.ts';
import { exampleEnvelope } from './samples.ts';
import { envelopeBody } from './schema.ts';

const object = z.record(z.string(), anyJson);

/** What a webhook can subscribe to, with the bodies that its receiver gets. */
export const eventTypeBody = z
  .object({
    name: z.enum(eventNames),
    description: z.string(),
    bodies: z
      .array(
        z.object({
          variant: z
            .enum(variants)
            .meta({ description: 'How the webhook was registered: by the `api`, or in the `dashboard`.' }),
          schema: object.meta({ description: 'The JSON Schema (2020-12) of the body.' }),
          example: object.meta({ description: 'A body as it is sent. Its ids belong to nothing.' }),
        }),
      )
      .meta({ description: 'One for each variant that has the event.' }),
  })
  .meta({ id: 'EventType' });

export type EventType = z.infer<typeof eventTypeBody>;

/** All events (specification 6.1), in the order of the specification. */
export const listEventTypes = (): EventType[] =>
  events.map(({ name, meaning, variants: having }) => ({
    name,
    description: meaning,
    bodies: having.map((variant) => ({
      variant,
      schema: object.parse(z.toJSONSchema(envelopeBody(variant, name))),
      example: object.parse(exampleEnvelope(variant, name)),
    })),
  }));
