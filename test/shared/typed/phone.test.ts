import { getCountries } from 'libphonenumber-js/min';
import { describe, expect, test } from 'vitest';
import { mapResponse } from '../../../src/shared/external-requests/map-response.ts';
import { createSource } from '../../../src/shared/external-requests/response-source.ts';
import { fieldsOf } from '../../../src/shared/flows/blocks/fields.ts';
import type { BlockContext } from '../../../src/shared/flows/blocks/context.ts';
import { countries } from '../../../src/shared/typed/countries.ts';
import { isInternational, phoneBeginnings, phoneForms, readPhone } from '../../../src/shared/typed/phone.ts';
import { enter, resume } from '../../helpers/blocks.ts';
import { cpuMsOf } from '../../helpers/cpu-time.ts';
import { aBlockContext } from '../../helpers/block-context.ts';

describe('a phone number', () => {
  test.for<[string, string | null, string | undefined]>([
    ['+4915112345678', null, '+4915112345678'],
    ['+49 (151) 123-456 78', null, '+4915112345678'],
    ['0049 151 12345678', null, '+4915112345678'],
    ['+44 (0)20 7946 0958', null, '+442079460958'],
    ['+44 020 7946 0958', null, '+442079460958'],
    ['+33 (0)1 23 45 67 89', null, '+33123456789'],
    ['+39 06 6982 1234', null, '+390669821234'],
    ['＋４９ １５１ １２３４５６７８', null, '+4915112345678'],
    ['+٤٩ ١٥١ ١٢٣٤٥٦٧٨', null, '+4915112345678'],
    ['\u202A+49\u00A0151\u2011123–45678\u202C', null, '+4915112345678'],
    ['tel:+49-151-12345678', null, '+4915112345678'],
    ['+49.151.12345678', null, '+4915112345678'],
    ['+49/151/12345678', null, '+4915112345678'],
    ['+5215512345678', null, '+5215512345678'],
    ['+5491123456789', null, '+5491123456789'],
    ['+999123456789', null, '+999123456789'],
    ['0151 2345678', null, undefined],
    ['4915112345678', null, undefined],
    ['0151 2345678', 'DE', '+491512345678'],
    ['(0151) 2345-678', 'DE', '+491512345678'],
    ['4915112345678', 'DE', '+4915112345678'],
    ['+44 (0)20 7946 0958', 'DE', '+442079460958'],
    ['0049 151 12345678', 'DE', '+4915112345678'],
    ['0049 151 12345678', 'US', '+4915112345678'],
    ['011 49 151 12345678', 'US', '+4915112345678'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['(201) 555-0123', 'US', '+12015550123'],
    ['1 201 555 0123', 'US', '+12015550123'],
    ['06 6982 1234', 'IT', '+390669821234'],
    ['392 123 4567', 'IT', '+393921234567'],
    ['8 912 345-67-89', 'RU', '+79123456789'],
    ['011 15 2345-6789', 'AR', '+5491123456789'],
    ['11 98765-4321', 'BR', '+5511987654321'],
    ['55 98765 4321', 'BR', '+5555987654321'],
    ['98765 43210', 'IN', '+919876543210'],
    // Nobody is refused because the plan that is known here has no such number.
    ['100 555 0123', 'US', '+11005550123'],
    ['110', 'DE', undefined],
    ['911', 'US', undefined],
    ['12', 'DE', undefined],
    ['+0049151234567', 'DE', undefined],
    ['+49', null, undefined],
    ['+4915112345678901', null, undefined],
    ['015112345678901', 'DE', undefined],
    ['+1234', null, undefined],
    ['+49 151 12345678 ext. 5', null, undefined],
    ['call 0151 2345678', 'DE', undefined],
    ['1-800-FLOWERS', 'US', undefined],
    ['+49 151 12345678, +49 30 1234567', null, undefined],
    ['', 'DE', undefined],
    ['()', 'DE', undefined],
    ['0151 2345678', 'XX', undefined],
  ])('%j, in %j, is %j', ([text, country, number]) => {
    expect(readPhone(text, country)).toBe(number);
  });

  test('is the same when it is read again', () => {
    for (const text of ['+44 (0)20 7946 0958', '+5215512345678', '0049 151 12345678']) {
      const number = readPhone(text, null) ?? '';
      for (const country of [null, ...countries]) expect(readPhone(number, country)).toBe(number);
    }
  });

  test('needs no country where it has its + or 00', () => {
    expect(['+49 151 12345678', '0049 151 12345678', '0151 2345678', 'x'].map(isInternational)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('is looked up as it is read, and as an earlier version stored it', () => {
    expect(phoneForms('+44 (0)20 7946 0958', null)).toEqual(['+442079460958', '+4402079460958', '+44 (0)20 7946 0958']);
    expect(phoneForms('+4915112345678', null)).toEqual(['+4915112345678']);
    expect(phoneForms('+4402079460958', null)).toEqual(['+442079460958', '+4402079460958']);
    expect(phoneForms('nobody', null)).toEqual(['nobody']);
  });

  test.for<[string, string | null, string[]]>([
    ['0151 2345678', 'DE', ['+491512345678', '01512345678', '0151 2345678']],
    ['0151', 'DE', ['+49151', '0151']],
    ['015', 'DE', ['+4915', '015']],
    ['415 555', 'US', ['+1415555', '415555', '415 555']],
    ['06 69', 'IT', ['+390669', '0669', '06 69']],
    ['0044 20 79', 'DE', ['+442079', '0044 20 79']],
    ['+44 (0)20 79', null, ['+442079', '+4402079', '+44 (0)20 79']],
    ['+49151', null, ['+49151']],
    ['4915112345678', 'DE', ['+494915112345678', '+4915112345678', '4915112345678']],
    ['0151', null, ['0151']],
    ['01', 'DE', ['01']],
    ['+', null, ['+']],
    ['0151', 'XX', ['0151']],
    ['Ada', 'DE', ['Ada']],
    ['shop/0151', 'DE', ['shop/0151']],
  ])('that begins with %j is searched, in %j, by %j', ([text, country, beginnings]) => {
    expect(phoneBeginnings(text, country)).toEqual(beginnings);
  });

  test.for(['1', '+', '(', '1-', '٣', ' ', '0'])('takes little time, however often %j is repeated', (unit) => {
    const text = unit.repeat(10_000);
    readPhone(text.slice(0, 40), 'US');
    expect(cpuMsOf(() => readPhone(`+1${text}`, 'US'))).toBeLessThan(200);
  });
});

/** The value that a block has written to the field `phone`. */
const written = (move: unknown): unknown => {
  const { effects = [] }: { effects?: { type: string; key?: string; value?: unknown }[] } = Object(move);
  return effects.find(({ key }) => key === 'phone')?.value;
};

/** Where a flow reads a number: what the contact's phone number becomes. */
const placesInFlows: Record<string, (phone: string, context: BlockContext) => unknown> = {
  'the answer to an ask': (text, context) => {
    const ask = { type: 'ask', prompt: '?', expects: 'phone', save_to: 'phone' };
    return written(resume(ask, context, { type: 'reply', text, seq: 1 }));
  },
  'an answer of any kind': (text, context) => {
    const ask = { type: 'ask', prompt: '?', expects: 'any', save_to: 'phone' };
    return written(resume(ask, context, { type: 'reply', text, seq: 1 }));
  },
  'the value of set_field': (value, context) => written(enter({ type: 'set_field', field: 'phone', value }, context)),
  'the mapping of a response': (text, context) => {
    const response = { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ text })) };
    const options = { ...fieldsOf(context), v: context.v, isSuccess: true, holdsSecret: () => false };
    const source = createSource(response, context.v);
    const [mapped] = mapResponse([{ path: '$.text', field: 'phone', on_missing: 'keep' }], source, options).fields;
    return mapped?.outcome === 'set' ? mapped.value : undefined;
  },
};

describe.for(Object.entries(placesInFlows))('%s', ([, read]) => {
  test.for([
    ['0151 2345678', 'DE', '+491512345678'],
    ['0151 2345678', null, undefined],
    ['+44 (0)20 7946 0958', null, '+442079460958'],
    ['٠١٥١ ٢٣٤٥٦٧٨', 'DE', '+491512345678'],
    ['nobody', 'DE', undefined],
  ] as const)('reads %j in an account of %s as %s', ([text, country, number]) => {
    for (const v of [1, Infinity]) expect(read(text, aBlockContext({ v, country }))).toBe(number);
  });
});

test('the countries are those whose numbers can be read', () => {
  expect(countries).toEqual([...getCountries()].toSorted());
});
