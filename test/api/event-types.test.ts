import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { EventType } from '../../src/shared/events/event-types.ts';
import { eventNames, eventsOfVariant } from '../../src/shared/facts/names.ts';
import { useApi } from '../helpers/api.ts';

const api = await useApi();
const { apiKey: key } = await api.createAccount();
const { body } = await api.request<{ data: EventType[] }>('GET', '/v1/event-types', { key });

const compile = (schema: object) => new Ajv2020({ strict: true, validateFormats: false }).compile(schema);

test('the types of events are all that a webhook of a variant can subscribe to', () => {
  expect(body.data.map(({ name }) => name)).toEqual(eventNames);
  for (const variant of ['api', 'dashboard'] as const) {
    const names = body.data
      .filter(({ bodies }) => bodies.some((one) => one.variant === variant))
      .map(({ name }) => name);
    expect(names).toEqual(eventsOfVariant(variant));
  }
});

test('the JSON Schema of a body takes what is sent for this event and variant, and nothing else', () => {
  const all = body.data.flatMap(({ name, bodies }) => bodies.map((one) => ({ name, ...one })));
  for (const { name, variant, schema, example } of all) {
    const isValid = compile(schema);
    const taken = all.filter((other) => isValid(other.example)).map((other) => [other.name, other.variant]);
    expect(taken).toEqual([[name, variant]]);
    expect(isValid({ ...example, more: 1 })).toBe(false);
  }
});
