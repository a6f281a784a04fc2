import { z } from 'zod';
import { asStored, codec, id, time, type RowOf } from '../codec.ts';

/** A name as somebody writes it: spaces around it do not count, nor does the letter case. */
export const tagName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be of one line, without control characters')
  .meta({ description: 'In any letter case; shown as it was first spelt.', example: 'vip' });

export const newTag = z.strictObject({ name: tagName }).meta({ id: 'NewTag', example: { name: 'vip' } });

const tag = codec({ id: id('tag'), name: asStored(z.string()), created_at: time() });

export const tagBody = tag.body.meta({ id: 'Tag' });

/** A tag as it is stored; `id` is its UUID. */
export type TagRow = RowOf<typeof tag>;

/** A tag as the API shows it. */
export const showTag = tag.show;
