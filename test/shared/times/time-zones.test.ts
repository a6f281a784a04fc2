import { describe, expect, test } from 'vitest';
import { useApi } from '../../helpers/api.ts';
import { effectsOf, enter } from '../../helpers/blocks.ts';
import { aBlockContext } from '../../helpers/block-context.ts';

const api = await useApi();

/** What is given, how it is shown, and another name of the same zone. */
const zones = [
  ['Europe/Kyiv', 'Europe/Kyiv', 'Europe/Kiev'],
  ['europe/kyiv', 'Europe/Kyiv', 'Europe/Kiev'],
  ['Europe/Kiev', 'Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Kolkata', 'Asia/Kolkata', 'Asia/Calcutta'],
  ['Asia/Calcutta', 'Asia/Calcutta', 'Asia/Kolkata'],
  ['America/Nuuk', 'America/Nuuk', 'America/Godthab'],
  ['Asia/Yangon', 'Asia/Yangon', 'Asia/Rangoon'],
  ['asia/ho_chi_minh', 'Asia/Ho_Chi_Minh', 'Asia/Saigon'],
  ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince', 'America/Port-au-Prince'],
  ['us/pacific', 'US/Pacific', 'America/Los_Angeles'],
  ['utc', 'UTC', 'Etc/UTC'],
] as const;

describe.for(zones)('the time zone %s', ([given, shown, other]) => {
  test(`is kept and shown as ${shown} for a contact and an account`, async () => {
    const { apiKey: key } = await api.createAccount();
    const contact = await api.request('POST', '/v1/contacts', { key, body: { time_zone: given } });
    expect(contact).toMatchObject({ status: 201, body: { time_zone: shown } });
    const account = await api.request('PATCH', '/v1/account', { key, body: { time_zone: given } });
    expect(account).toMatchObject({ status: 200, body: { time_zone: shown } });
    const set = enter({ type: 'set_field', field: 'time_zone', value: given }, aBlockContext());
    expect(effectsOf(set)).toMatchObject([{ value: shown }]);
  });

  test.for([1, 2])(`is ${other} to the rules of a block of meaning %s`, (v) => {
    const context = aBlockContext({ v, contact: { timeZone: shown }, accountZone: shown });
    for (const field of ['time_zone', 'contact.time_zone', 'account.time_zone']) {
      const decide = (op: string, value: string) =>
        enter({ type: 'condition', rules: [{ field, op, value }] }, context);
      expect(decide('is', other)).toMatchObject({ port: 'true' });
      expect(decide('is_not', other)).toMatchObject({ port: 'false' });
      expect(decide('is', 'Europe/Berlin')).toMatchObject({ port: 'false' });
    }
  });
});

test.for(['+02:00', 'UTC+2', 'Z', 'Mars/Base', '', ' ', 'Europe', 'Factory'])(
  'the time zone %j is refused',
  async (time_zone) => {
    const { apiKey: key } = await api.createAccount();
    expect((await api.request('POST', '/v1/contacts', { key, body: { time_zone } })).status).toBe(422);
  },
);
