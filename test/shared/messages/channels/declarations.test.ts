import { describe, expect, test } from 'vitest';
import { isSealed } from '../../../../src/shared/messages/channels/declaration.ts';
import { channelDeclarations, channelTypes } from '../../../../src/shared/messages/channels/declarations.ts';
import { channelBody, channelChanges, newChannel } from '../../../../src/shared/messages/channels/schema.ts';

describe.each(channelTypes)('a channel of kind %s', (type) => {
  const { config, shown } = channelDeclarations[type];
  const fields = Object.entries(config.shape);

  test('shows every field of its config but those that are sealed', () => {
    const open = fields.flatMap(([name, schema]) => (isSealed(schema) ? [] : [name]));
    expect(Object.keys(shown)).toEqual(open);
    expect(Object.keys(channelBody.shape)).toEqual(expect.arrayContaining(open));
  });

  test('is created and changed by every field of its config, of which none is required', () => {
    const given = { type, name: 'Shop' };
    expect(newChannel.safeParse(given).success).toBe(true);
    const names = fields.map(([name]) => name);
    expect(Object.keys(newChannel.shape)).toEqual(expect.arrayContaining(names));
    expect(Object.keys(channelChanges.shape)).toEqual(expect.arrayContaining(names));
  });
});
