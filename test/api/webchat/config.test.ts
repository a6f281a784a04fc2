import { expect, test } from 'vitest';
import { weekdays } from '../../../src/shared/flows/blocks/zones.ts';
import { useApi } from '../../helpers/api.ts';
import { aVisitor, aWebchat } from '../../helpers/webchat/visitor.ts';

const api = await useApi();
const account = await api.createAccount();

type Config = { title: string; texts: object; office: { is_open: boolean; changes_in: number } | null };

const configOf = async (fields: object) => {
  const channel = await aWebchat(api, account, fields);
  return (await aVisitor(api, channel).ask<Config>('GET', '/config')).body;
};

test('the widget hears what a channel says to visitors, and nothing that is not for them', async () => {
  const texts = { send: 'Senden' };
  const given = { title: 'Hilfe', greeting: 'Hallo!', texts, office_hours: null, mail_after_minutes: 10 };
  expect(await configOf(given)).toEqual({
    title: 'Hilfe',
    greeting: 'Hallo!',
    color: '#0b7285',
    position: 'right',
    texts,
    require_identity: false,
    office: null,
    limits: { text: 10_000 },
  });
});

test('the widget hears whether somebody is there and for how long that holds, and no hours', async () => {
  const day = 24 * 3_600;
  const open = await configOf({ office_hours: { time_zone: 'UTC', windows: [{}] } });
  expect(open).not.toHaveProperty('office_hours');
  expect(open.office).toEqual({ is_open: true, changes_in: expect.any(Number) });
  expect(open.office?.changes_in).toBeGreaterThan(0);
  expect(open.office?.changes_in).toBeLessThanOrEqual(day);
  // The day after tomorrow is never today, also when midnight passes meanwhile.
  const later = weekdays[(new Date().getUTCDay() + 1) % 7];
  const away = await configOf({ office_hours: { time_zone: 'UTC', windows: [{ days: [later] }] } });
  expect(away.office).toEqual({ is_open: false, changes_in: expect.any(Number) });
  expect(away.office?.changes_in).toBeGreaterThan(0);
  expect(away.office?.changes_in).toBeLessThanOrEqual(2 * day);
});
