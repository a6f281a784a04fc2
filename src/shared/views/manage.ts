import { found, RequestError } from '../errors.ts';
import type { Sql } from '../platform/db/connect.ts';
import { countViews, deleteView, holdView, insertView, updateView, type Viewer } from './queries.ts';
import { viewLimits, type ListName, type ViewChanges, type ViewRow } from './schema.ts';

/** Who makes or changes a view. Only owners share. */
export type ViewEditor = Viewer & { isOwner: boolean };

/** Saves a view. Throws `forbidden` for a shared one of who is no owner, and `conflict` for a name that is taken and beyond fifty of a list. */
export const createView = async (
  sql: Sql,
  editor: ViewEditor,
  { is_shared: isShared, ...view }: { list: ListName; name: string; query: string; is_shared: boolean },
): Promise<ViewRow> => {
  if (isShared) requireOwner(editor);
  const owner = isShared ? null : editor.userId;
  const row = await insertView(sql, { accountId: editor.accountId, owner, ...view });
  if (!row) throw nameTaken();
  await requireRoom(sql, editor, { owner, list: view.list });
  return row;
};

/**
 * Changes a view of the user, or one that is shared, which only owners do. One that is no longer shared is the owner's own. Throws `not_found`,
 * and as `createView`.
 */
export const changeView = async (
  sql: Sql,
  editor: ViewEditor,
  { id, changes }: { id: string; changes: ViewChanges },
): Promise<ViewRow> => {
  const before = found('view', await holdView(sql, editor, id));
  const isShared = changes.is_shared ?? before.isShared;
  if (before.isShared || isShared) requireOwner(editor);
  const owner = isShared ? null : editor.userId;
  const { list } = before;
  const { name = before.name, query = before.query } = changes;
  const row = await updateView(sql, { id, accountId: editor.accountId, owner, list, name, query });
  if (!row) throw nameTaken();
  await requireRoom(sql, editor, { owner, list });
  return row;
};

/** Deletes a view. Throws `not_found`, and `forbidden` for a shared one of who is no owner. */
export const removeView = async (sql: Sql, editor: ViewEditor, id: string): Promise<void> => {
  const { isShared } = found('view', await holdView(sql, editor, id));
  if (isShared) requireOwner(editor);
  await deleteView(sql, id);
};

const requireOwner = ({ isOwner }: ViewEditor): void => {
  if (!isOwner) throw new RequestError('forbidden', 'Only owners share views, and change shared ones.');
};

const nameTaken = () => new RequestError('conflict', 'There is a view of this name already.');

const requireRoom = async (
  sql: Sql,
  { accountId }: Viewer,
  of: { owner: string | null; list: ListName },
): Promise<void> => {
  if ((await countViews(sql, { accountId, ...of })) > viewLimits.views)
    throw new RequestError('conflict', `A list has at most ${viewLimits.views} views.`);
};
