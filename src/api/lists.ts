import { z } from 'zod';

const cursor = z
  .string()
  .max(64)
  .transform((text, ctx) => {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length === 16 && bytes.toString('base64url') === text) {
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    }
    ctx.addIssue({ code: 'custom', message: 'is not a cursor of ours' });
    return z.NEVER;
  });

const limit = z.coerce.number().int().min(1).max(200).default(50);

/** The query of every list, newest first; `cursor` is the UUID of the last row of the page before. Extend it with filters. */
export const listQuery = z.strictObject({
  limit: limit.meta({ description: 'Rows of a page.' }),
  cursor: cursor.optional().meta({ description: 'next_cursor of the page before.' }),
});

/** The answer of a list, for its operation. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), next_cursor: z.string().nullable() });

/** A page of a list. `rows` were selected with `limit + 1`, newest first; the extra row tells that there are more. */
export const showPage = <Row extends { id: string }, Shown>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
): { data: Shown[]; next_cursor: string | null } => {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map(show),
    next_cursor: last ? Buffer.from(last.id.replaceAll('-', ''), 'hex').toString('base64url') : null,
  };
};
