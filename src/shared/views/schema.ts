import { z } from 'zod';
import { asStored, codec, id, time, type RowOf } from '../codec.ts';

/** What an id of a view names. */
export const viewNoun = { name: 'view', prefix: 'view' } as const;

/** `views`: of a user and list, and of the account and list. Lengths are in characters. */
export const viewLimits = { views: 50, name: 60, query: 2_000, columns: 30, column: 40 } as const;

/** The lists that have views. */
const listNames = ['contacts', 'conversations', 'deliveries', 'events', 'orders', 'runs'] as const;

export const listName = z.enum(listNames);

export type ListName = z.infer<typeof listName>;

const name = z.string().trim().min(1).max(viewLimits.name);

const query = z.string().max(viewLimits.query).meta({
  description: 'Filters, order and columns as the address of the page has them: `status=open&assigned_to=none`.',
});

const view = codec({
  id: id(viewNoun),
  list: asStored(listName),
  name: asStored(z.string()),
  query: asStored(z.string()),
  is_shared: asStored(z.boolean().meta({ description: 'Whether all users of the account have it.' })),
  created_at: time(),
});

export const viewBody = view.body.meta({ id: 'View' });

/** A view as it is stored; the id is a UUID. */
export type ViewRow = RowOf<typeof view>;

/** A view as the API shows it. */
export const showView = view.show;

const isShared = z.boolean().meta({ description: 'Owners share views with the account.' });

export const newView = z
  .strictObject({ list: listName, name, query, is_shared: isShared.default(false) })
  .meta({ id: 'NewView', example: { list: 'conversations', name: 'Mine', query: 'status=open' } });

export const viewChanges = z
  .strictObject({ name: name.optional(), query: query.optional(), is_shared: isShared.optional() })
  .meta({ id: 'ViewChanges', example: { name: 'Mine, open' } });

export type ViewChanges = z.infer<typeof viewChanges>;

/** The columns of a list that a user sees; null for those that it has by itself. */
export const listColumns = z
  .strictObject({
    columns: z
      .array(
        z
          .string()
          .regex(/^[a-z_]+$/, 'has small letters and _ only')
          .max(viewLimits.column),
      )
      .max(viewLimits.columns)
      .nullable(),
  })
  .meta({ id: 'ListColumns', example: { columns: ['email', 'tags'] } });
