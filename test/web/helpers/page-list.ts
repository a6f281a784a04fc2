import { z } from 'zod';
import { roles } from '../../../src/shared/accounts/schema.ts';

const listed = z.array(
  z.object({
    path: z.string(),
    shows: z.string().optional(),
    role: z.enum(roles).default('agent'),
    nav: z.object({ section: z.string() }).optional(),
  }),
);

/** Named so that types do not follow: those of pages need a browser's. */
const file: string = '../../../src/web/pages.ts';

/** The list of pages that the dashboard itself goes by, as far as tests need it. */
export const { pages, openPages } = z.object({ pages: listed, openPages: listed }).parse(await import(file));

/** A page: its path, the least role that it is for, and its group in the navigation where it stands there. */
export type PageEntry = (typeof pages)[number];
