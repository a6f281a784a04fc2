import { z } from 'zod';
import { inDigits } from '../shared/in-digits.ts';

type Paging<Before, Last> = {
  /** How many rows a page has at most, and when nothing is said. */
  most: number;
  usual: number;
  /** The most characters of a cursor. */
  cursorLength?: number;
  /** Undefined for a text that is no cursor. */
  readCursor: (text: string) => Before | undefined;
  showCursor: (last: Last) => string;
};

/** The pages of a list, each of which goes on behind the last row of the one before; `Before` is what the cursor says of that row. */
export const createPages = <Before, Last>({
  most,
  usual,
  cursorLength = 64,
  readCursor,
  showCursor,
}: Paging<Before, Last>) => ({
  /** The query of the list. Extend it with filters. */
  query: z.strictObject({
    limit: inDigits(z.int().min(1).max(most)).default(usual).meta({ description: 'Rows of a page.', default: usual }),
    cursor: z
      .string()
      .max(cursorLength)
      .transform((text, ctx): Before => {
        const before = readCursor(text);
        if (before !== undefined) return before;
        ctx.addIssue({ code: 'custom', message: 'is not a cursor of ours' });
        return z.NEVER;
      })
      .optional()
      .meta({ description: 'next_cursor of the page before.' }),
  }),
  /** The page that is asked for. `read` is asked for one row more: that tells whether there is another page. */
  page: async <Row extends Last, Shown>(
    { limit, cursor: before }: { limit: number; cursor?: Before | undefined },
    read: (page: { limit: number; before: Before | undefined }) => Promise<readonly Row[]>,
    show: (row: Row) => Shown,
  ): Promise<{ data: Shown[]; next_cursor: string | null }> => {
    const rows = await read({ limit: limit + 1, before });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { data: page.map(show), next_cursor: last === undefined ? null : showCursor(last) };
  },
});

const readUuid = (text: string): string | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 16 || bytes.toString('base64url') !== text) return undefined;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** The cursor of a list of rows by their UUID. */
export const byId = {
  readCursor: readUuid,
  showCursor: ({ id }: { id: string }) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'),
};

/** A positive number as it is written in decimal; undefined for what is none. */
export const readPositive = (text: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;

/** The cursor of a list of rows by a positive number, which they have by this name. */
export const byNumber = <Name extends string>(name: Name) => ({
  readCursor: readPositive,
  showCursor: (last: Readonly<Record<Name, number>>) => String(last[name]),
});

/** Lists of rows by their UUID, newest first. */
export const { query: listQuery, page: showPage } = createPages({ most: 200, usual: 50, ...byId });

/** The same of rows that are large. */
export const { query: shortListQuery, page: showShortPage } = createPages({ most: 50, usual: 20, ...byId });

/** The answer of a list, for its operation. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), next_cursor: z.string().nullable() });
