import { describe, expect, expectTypeOf, test } from 'vitest';
import { answerChallenge, type ApiEnvelope, type DashboardEnvelope } from '../../../packages/verify/src/index.ts';
import { createEnvelope } from '../../../src/shared/events/envelope.ts';
import { type EventName, eventsOfVariant, type Variant } from '../../../src/shared/facts/names.ts';
import { createSampleEvent } from '../../../src/shared/events/samples.ts';
import { apiBody, entries, signed } from './requests.ts';

const at = new Date('2026-11-21T10:54:12.387Z');
const anEnvelope = (variant: Variant, name: EventName): string =>
  createEnvelope(variant, createSampleEvent(name, at), 'dlv_1').toString();
const events = (['api', 'dashboard'] as const).flatMap((variant) =>
  eventsOfVariant(variant).map((name) => ({ variant, name })),
);

describe.each(entries)('$entry', ({ verify }) => {
  test.each(events)('parses $name of variant $variant as the service writes it', async ({ variant, name }) => {
    const body = anEnvelope(variant, name);
    expect(await verify(signed(body))).toEqual({ type: variant, id: 'dlv_1', envelope: JSON.parse(body) });
  });

  test('hands an event that it does not know over as unknown, to be answered 200', async () => {
    const body = '{"id":"dlv_2","event":"toString","data":{}}';
    expect(await verify(signed(body))).toEqual({ type: 'unknown', id: 'dlv_2', envelope: JSON.parse(body) });
  });

  test('takes an event that variant B does not list for one that it does not know', async () => {
    expect(await verify(signed(anEnvelope('dashboard', 'conversation_closed')))).toMatchObject({ type: 'unknown' });
  });

  test.each([
    ['text', 'it is not JSON in UTF-8'],
    [Uint8Array.of(0x22, 0xff, 0x22), 'it is not JSON in UTF-8'],
    ['[]', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    ['{}', 'event is not a string'],
    ['{"event":"new_contact","contact_id":"c","channel":"api"}', 'timestamp is not a string'],
    ['{"event":"new_contact","timestamp":"t","channel":"api"}', 'contact_id is not a string'],
    ['{"event":"new_message","timestamp":"t","contact_id":"c","channel":"api"}', 'message is not an object'],
    ['{"event":"new_contact","timestamp":"t","data":{}}', 'id is not a string'],
    ['{"id":"d","event":"new_contact","timestamp":"t","data":[]}', 'data is not an object'],
    [apiBody.replace('"text":"Grüße"', '"text":1'), 'data.message.text is not a string'],
    [apiBody.replace('sent_at', 'sent'), 'data.message.sent_at is not a string'],
  ])('refuses a signed %j with 400 and says why', async (body, why) => {
    await expect(verify(signed(body))).rejects.toMatchObject({
      code: 'malformed_body',
      status: 400,
      message: expect.stringMatching(new RegExp(`${why}$`)),
    });
  });

  test('asks for the webhook-id header only where the body has no id', async () => {
    const withoutId = (body: string) => {
      const { headers, ...request } = signed(body);
      return verify({ ...request, headers: { ...headers, 'webhook-id': undefined } });
    };
    expect(await withoutId(anEnvelope('api', 'new_contact'))).toMatchObject({ id: 'dlv_1' });
    expect(await withoutId('{"challenge":"x"}')).toMatchObject({ type: 'challenge' });
    await expect(withoutId(anEnvelope('dashboard', 'new_contact'))).rejects.toMatchObject({ code: 'missing_header' });
  });
});

test('answers a challenge with 200 and the value in JSON', () => {
  const { status, headers, body } = answerChallenge('a "value"');
  expect({ status, headers, body: JSON.parse(body) }).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { challenge: 'a "value"' },
  });
});

test('the types name the events of each variant, and narrow by name', () => {
  expectTypeOf<ApiEnvelope['event']>().toEqualTypeOf<EventName>();
  expectTypeOf<DashboardEnvelope['event']>().toEqualTypeOf<Exclude<EventName, 'conversation_closed'>>();
  type Narrowed = Extract<ApiEnvelope, { event: 'new_message' }>['data']['message']['sent_at'];
  expectTypeOf<Narrowed>().toEqualTypeOf<string>();
});
