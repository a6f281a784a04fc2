import { expect, test } from 'vitest';
import { createEnvelope } from '../../../src/shared/events/envelope.ts';
import { createSampleEvent } from '../../../src/shared/events/samples.ts';
import { envelopeBody } from '../../../src/shared/events/schema.ts';
import { events } from '../../../src/shared/facts/facts.ts';

const cases = events.flatMap(({ name, variants }) => variants.map((variant) => ({ name, variant })));

test.for(cases)(
  'the documented body of $name for variant $variant is the one that is sent, to the field',
  ({ name, variant }) => {
    const sent: unknown = JSON.parse(String(createEnvelope(variant, createSampleEvent(name, new Date()), 'dlv_1')));
    expect(envelopeBody(variant, name).parse(sent)).toEqual(sent);
  },
);
