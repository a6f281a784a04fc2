import { z } from 'zod';
import { expect, expectTypeOf, test } from 'vitest';
import { asStored, codec, id as idOf, nullable, time, type RowOf } from '../../src/shared/codec.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';

const thing = codec({
  id: idOf('contact'),
  channel_id: nullable(idOf('channel')),
  display_name: asStored(z.string()),
  last_seen_at: nullable(time(), { description: 'When it was seen.' }),
  created_at: time(),
});

test('a row is shown as its schema says: columns in snake_case, ids as TypeIDs, times as ISO 8601, null as it is', () => {
  const row = { id: newUuid(), channelId: newUuid(), displayName: 'Ada', lastSeenAt: null, createdAt: new Date(0) };
  const shown = {
    id: showId('contact', row.id),
    channel_id: showId('channel', row.channelId),
    display_name: 'Ada',
    last_seen_at: null,
    created_at: '1970-01-01T00:00:00.000Z',
  };
  expect(thing.show(row)).toEqual(shown);
  expect(Object.keys(thing.show(row))).toEqual(Object.keys(shown));
  expect(thing.body.parse(shown)).toEqual(shown);
});

test('columns that no field names are not shown', () => {
  const id = newUuid();
  const row = { id, channelId: null, displayName: 'Ada', lastSeenAt: null, createdAt: new Date(0), secret: 'a' };
  expect(thing.show(row)).not.toHaveProperty('secret');
});

test('the row has a type for each column, and the answer for each field', () => {
  expectTypeOf<RowOf<typeof thing>>().toEqualTypeOf<{
    id: string;
    channelId: string | null;
    displayName: string;
    lastSeenAt: Date | null;
    createdAt: Date;
  }>();
  expectTypeOf(thing.show).returns.toEqualTypeOf<z.infer<typeof thing.body>>();
});

test('what is said of a field stands in its schema', () => {
  expect(thing.body.shape.last_seen_at.meta()).toEqual({ description: 'When it was seen.' });
});
