import { z } from 'zod';
import { roles } from '../accounts/schema.ts';
import { asStored, codec, id, time, type RowOf } from '../codec.ts';

const user = codec({
  id: id('user'),
  email: asStored(z.string()),
  role: asStored(z.enum(roles)),
  created_at: time(),
});

export const userBody = user.body.meta({ id: 'User' });

/** A user as it is stored; `id` is its UUID. */
export type UserRow = RowOf<typeof user>;

/** A user as API and command line show it. */
export const showUser = user.show;

const role = z.enum(roles).meta({
  description:
    'An `owner` may do everything, an `editor` all but API keys, the webhook secret and users. An `agent` answers contacts.',
});

export const userChanges = z.strictObject({ role }).meta({ id: 'UserChanges', example: { role: 'editor' } });
