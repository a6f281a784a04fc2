import { describe, expect, test } from 'vitest';
import { shownFields } from '../../../../src/shared/messages/channels/declaration.ts';
import { createChannelSchemas } from '../../../../src/shared/messages/channels/schema.ts';
import { kindsWithCarrier as kinds } from '../../../helpers/carrier/kinds.ts';

const { newChannel, channelChanges, channelBody } = createChannelSchemas(kinds);
/** Values of the fields that take not any text. */
const values: Readonly<Record<string, unknown>> = {
  origins: ['https://shop.example'],
  color: '#0b7285',
  position: 'left',
  texts: { send: 'Send' },
  office_hours: { time_zone: 'UTC', windows: [{ from: '09:00', to: '17:00' }] },
  require_identity: true,
  mail_after_minutes: 10,
  bot_token: `12345:${'x'.repeat(35)}`,
};
const valueOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, values[name] ?? 'value']));

const shown = { id: 'chn_1', name: 'Shop', created_at: '2026-11-26T16:00:00.000Z' };

describe.each(Object.entries(kinds))('a channel of kind %s', (type, { declaration }) => {
  const filled = valueOf(Object.keys(declaration.config.shape));

  const told = valueOf(Object.keys(declaration.told?.shape ?? {}));

  test('shows every field of its config but those that are sealed, and what its service tells', () => {
    const open = valueOf(shownFields(declaration));
    expect(channelBody.parse({ ...shown, type, ...filled, ...told })).toEqual({ ...shown, type, ...open });
    expect(channelBody.safeParse({ ...shown, type }).success).toBe(false);
  });

  test('is created and changed by every field of its config, and by no field of another kind', () => {
    expect(newChannel.safeParse({ type, name: 'Shop', ...filled }).success).toBe(true);
    expect(newChannel.safeParse({ type, name: 'Shop', ...filled, unheard_of: 'value' }).success).toBe(false);
    expect(channelChanges.safeParse(filled).success).toBe(true);
    for (const name of Object.keys(told)) expect(channelChanges.safeParse({ [name]: 'value' }).success).toBe(false);
  });
});
