import { describe, expect, test } from 'vitest';
import { mapResponse } from '../../../src/shared/external-requests/map-response.ts';
import { createSource } from '../../../src/shared/external-requests/response-source.ts';
import type { BlockContext } from '../../../src/shared/flows/blocks/context.ts';
import { zoneOf } from '../../../src/shared/flows/blocks/zones.ts';
import { useApi } from '../../helpers/api.ts';
import { effectsOf, enter, resume } from '../../helpers/blocks.ts';
import { aField, aBlockContext } from '../../helpers/block-context.ts';

const api = await useApi();

/** A text of a time, the zone of the contact, the instant that it is there, and the day on the contact's clock. */
const times = [
  ['2026-03-01T10:00', 'Europe/Berlin', '2026-03-01T09:00:00.000Z', '2026-03-01'],
  ['2026-03-01T10:00', 'America/New_York', '2026-03-01T15:00:00.000Z', '2026-03-01'],
  ['2026-03-01 10:00', 'Asia/Kolkata', '2026-03-01T04:30:00.000Z', '2026-03-01'],
  ['2026-03-01T10:00:00.000', 'Europe/Berlin', '2026-03-01T09:00:00.000Z', '2026-03-01'],
  ['2026-03-01t10:00:00', 'America/New_York', '2026-03-01T15:00:00.000Z', '2026-03-01'],
  ['2026-03-01T24:00', 'Europe/Berlin', '2026-03-01T23:00:00.000Z', '2026-03-02'],
  ['2026-03-01T24:00:00Z', 'Europe/Berlin', '2026-03-02T00:00:00.000Z', '2026-03-02'],
  ['2026-03-01T23:30:00Z', 'Europe/Berlin', '2026-03-01T23:30:00.000Z', '2026-03-02'],
  ['2026-03-01T00:00Z', 'America/New_York', '2026-03-01T00:00:00.000Z', '2026-02-28'],
  ['2026-03-01t10:00z', 'America/New_York', '2026-03-01T10:00:00.000Z', '2026-03-01'],
  ['2026-03-01T10:00+0530', 'America/New_York', '2026-03-01T04:30:00.000Z', '2026-02-28'],
  ['2026-03-01 10:00:00.5 +05:30', 'Europe/Berlin', '2026-03-01T04:30:00.500Z', '2026-03-01'],
  ['2026-03-01T10:00+01', 'America/New_York', '2026-03-01T09:00:00.000Z', '2026-03-01'],
  // Daylight saving skips the first, and repeats the second.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z', '2026-03-29'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25'],
] as const;

/** A date alone is its midnight where an instant is needed, and the same day everywhere. */
const days = [
  ['2026-03-01', 'America/New_York', '2026-03-01T05:00:00.000Z', '2026-03-01'],
  ['2026-03-01', 'Europe/Berlin', '2026-02-28T23:00:00.000Z', '2026-03-01'],
] as const;

const fields = [aField('when', 'datetime'), aField('day', 'date')];

/** A contact in the zone, or one of whom no zone is known, in an account of the zone. */
const inZone = (zone: string, isAccounts: boolean, text: string): BlockContext =>
  aBlockContext({
    now: '2026-02-01T00:00:00Z',
    fields,
    accountZone: isAccounts ? zone : 'Pacific/Auckland',
    contact: { timeZone: isAccounts ? null : zone },
    run: { params: { text } },
  });

const written = (move: ReturnType<typeof resume>): unknown =>
  effectsOf(move).flatMap((effect) => (effect.type === 'set_field' ? [effect.value] : []))[0];

/** What each place of a flow makes of a text. */
const places: Record<string, (text: string, context: BlockContext, field: 'when' | 'day') => unknown> = {
  set_field: (text, context, field) => written(enter({ type: 'set_field', field, value: text }, context)),
  'set_field of a placeholder': (_, context, field) =>
    written(enter({ type: 'set_field', field, value: '{{params.text}}' }, context)),
  ask: (text, context, field) =>
    written(
      resume({ type: 'ask', prompt: 'When?', expects: 'any', save_to: field }, context, {
        type: 'reply',
        text,
        seq: 1,
      }),
    ),
  'the mapping of a response': (text, context, field) => {
    const body = Buffer.from(JSON.stringify({ text }));
    const { fields: known } = context;
    const [mapped] = mapResponse(
      [{ path: '$.text', field, on_missing: 'keep' }],
      createSource({ status: 200, headers: {}, body }, context.v),
      {
        fields: known,
        timeZone: zoneOf(context),
        country: null,
        v: context.v,
        isSuccess: true,
        holdsSecret: () => false,
      },
    ).fields;
    return mapped?.outcome === 'set' ? mapped.value : mapped;
  },
};

describe.for(['contact', 'account'] as const)('on the clock of the %s', (whose) => {
  const contextOf = (zone: string, text: string) => inZone(zone, whose === 'account', text);

  test.for([...times, ...days])('%s in %s is one instant in every block', ([text, zone, instant, day]) => {
    const context = contextOf(zone, text);
    const read = Object.entries(places).map(([place, make]) => [
      place,
      make(text, context, 'when'),
      make(text, context, 'day'),
    ]);
    expect(read).toEqual(Object.keys(places).map((place) => [place, instant, day]));

    expect(enter({ type: 'delay', until: text }, context)).toMatchObject({ type: 'wait', until: new Date(instant) });
    const held = { ...context, contact: { ...context.contact, fields: { when: instant } } };
    for (const [field, value] of [
      ['when', text],
      ['params.text', instant],
    ]) {
      const rules = (op: string) => ({ type: 'condition', rules: [{ field, op, value }] });
      expect([field, enter(rules('is'), held)]).toMatchObject([field, { port: 'true' }]);
      expect([field, enter(rules('gte'), held)]).toMatchObject([field, { port: 'true' }]);
      expect([field, enter(rules('lt'), held)]).toMatchObject([field, { port: 'false' }]);
    }
  });

  test.for(times)('%s in %s is shown by the filter date as that instant', ([text, zone, instant]) => {
    const format = '{{params.text|date:"YYYY-MM-DD[T]HH:mm:ssZ"}}';
    const move = enter({ type: 'send', messages: [{ text: format }] }, contextOf(zone, text));
    const [sent] = effectsOf(move).flatMap((effect) => (effect.type === 'send' ? effect.messages : []));
    expect(Math.floor(Date.parse(sent?.text ?? '') / 1000)).toBe(Math.floor(Date.parse(instant) / 1000));
  });
});

test.for([
  ['a zone-less time is written in UTC', 'set_field', 'when', '2026-03-01T10:00', '2026-03-01T10:00:00.000Z'],
  ['a moment is written as the day of its text', 'set_field', 'day', '2026-03-01T01:00+05:00', '2026-03-01'],
  ['a date is answered as its midnight in UTC', 'ask', 'when', '2026-03-01', '2026-03-01T00:00:00.000Z'],
] as const)('in a version of a flow from before, %s', ([, place, field, text, value]) => {
  const context = { ...inZone('America/New_York', false, text), v: 1 };
  expect(places[place]?.(text, context, field)).toBe(value);
});

test('in a version of a flow from before, delay waits by UTC for what it did not read on the contact’s clock', () => {
  const context = { ...inZone('America/New_York', false, ''), v: 1 };
  const until = (text: string) => enter({ type: 'delay', until: text }, context);
  expect(until('2026-03-01T10:00')).toMatchObject({ until: new Date('2026-03-01T15:00:00Z') });
  expect(until('2026-03-01T10:00:00.000')).toMatchObject({ until: new Date('2026-03-01T10:00:00Z') });
});

test('a date is the same day in every zone where the filter date shows it', () => {
  const context = inZone('America/New_York', false, '2026-03-01');
  const move = enter({ type: 'send', messages: [{ text: '{{params.text|date:"D MMM HH:mm"}}' }] }, context);
  expect(effectsOf(move)).toMatchObject([{ messages: [{ text: '1 Mar 00:00' }] }]);
});

describe('the API', () => {
  const anAccount = async (zone: string) => {
    const { apiKey: key } = await api.createAccount();
    const as = <Body>(method: string, path: string, body?: unknown) =>
      api.request<Body>(method, `/v1${path}`, { key, body });
    await as('PATCH', '/account', { time_zone: zone });
    for (const { key: name, type } of fields) await as('POST', '/custom-fields', { key: name, name, type });
    return as;
  };
  type Contact = { id: string; custom_fields: { when: string } };

  test.for(times)('%s in %s is that instant in a contact’s field and in a filter', async ([text, zone, instant]) => {
    const as = await anAccount(zone);
    const custom_fields = { when: text };
    const theirs = await as<Contact>('POST', '/contacts', { time_zone: zone, custom_fields });
    expect(theirs).toMatchObject({ status: 201, body: { custom_fields: { when: instant } } });
    const unknown = await as<Contact>('POST', '/contacts', { custom_fields });
    expect(unknown.body.custom_fields.when).toBe(instant);
    const upserted = await as<Contact>('PUT', '/contacts', { external_id: 'u', custom_fields });
    expect(upserted.body.custom_fields.when).toBe(instant);
    const found = await as<{ data: Contact[] }>('GET', `/contacts?field=when:eq:${encodeURIComponent(text)}`);
    expect(found.body.data).toHaveLength(3);
  });

  test('a contact’s own zone counts, also the one that the same request gives', async () => {
    const as = await anAccount('Europe/Berlin');
    const custom_fields = { when: '2026-03-01T10:00' };
    const { body: contact } = await as<Contact>('POST', '/contacts', { time_zone: 'America/New_York' });
    const change = async (changes: object): Promise<string> =>
      (await as<Contact>('PATCH', `/contacts/${contact.id}`, { ...changes, custom_fields })).body.custom_fields.when;
    expect(await change({})).toBe('2026-03-01T15:00:00.000Z');
    expect(await change({ time_zone: 'Asia/Kolkata' })).toBe('2026-03-01T04:30:00.000Z');
    expect(await change({ time_zone: null })).toBe('2026-03-01T09:00:00.000Z');
  });

  test('the default of a field is on the clock of the account', async () => {
    const as = await anAccount('Europe/Berlin');
    const asked = { key: 'ends', name: 'Ends', type: 'datetime', default: '2026-03-01T10:00' };
    const { body } = await as<{ default: string }>('POST', '/custom-fields', asked);
    expect(body.default).toBe('2026-03-01T09:00:00.000Z');
  });
});

test.for([
  ['10:00', 'needs a date and a time, such as 2026-03-01T10:00'],
  ['2026-03-01', 'needs a date and a time, such as 2026-03-01T10:00'],
  ['tomorrow', 'needs a date and a time, such as 2026-03-01T10:00'],
  ['2026-02-30T10:00', 'has a day that no calendar has: 2026-02-30'],
  ['2026-03-01T25:00', 'has a time that no clock shows: 25:00'],
  ['2026-03-01T24:01', 'has a time that no clock shows: 24:01'],
  ['2026-03-01T10:00+25:00', 'has an offset that no zone has: +25:00'],
  [
    '2026-03-01T10:00[Europe/Berlin]',
    'ends in "[Europe/Berlin]": only Z or an offset such as +01:00 may follow the time',
  ],
  ['0000-03-01T10:00', 'must be within the years 1 to 9999'],
  [20260301, 'must be a text such as "2026-03-01T10:00"'],
])('the refusal of %j as a date-time says what is missing or wrong', async ([value, message]) => {
  const { apiKey: key } = await api.createAccount();
  await api.request('POST', '/v1/custom-fields', { key, body: { key: 'when', name: 'When', type: 'datetime' } });
  const { status, body } = await api.request('POST', '/v1/contacts', { key, body: { custom_fields: { when: value } } });
  expect(status).toBe(422);
  expect(body).toMatchObject({ error: { details: [{ path: 'custom_fields.when', message }] } });
});
