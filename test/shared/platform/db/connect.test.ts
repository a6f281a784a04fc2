import { expect, test } from 'vitest';
import { connectDatabase } from '../../../../src/shared/platform/db/connect.ts';
import { createTestDatabase } from '../../../helpers/database.ts';

test('no plan of ours is compiled, whatever the setting of the server', async () => {
  const { db, target, drop } = await createTestDatabase();
  try {
    await db`do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`;
    const ours = connectDatabase(target, { max: 1 });
    expect(await ours`show jit`).toEqual([{ jit: 'off' }]);
    await ours.end();
  } finally {
    await drop();
  }
});
