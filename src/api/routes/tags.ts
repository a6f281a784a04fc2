import { z } from 'zod';
import { changed } from '../../shared/facts/changed.ts';
import type { Writer } from '../../shared/facts/tell.ts';
import { removeTag } from '../../shared/tags/apply.ts';
import { createTag, renameTag, putTag, tagLimits } from '../../shared/tags/manage.ts';
import { deleteTag, findTag, findTagName, listTags } from '../../shared/tags/queries.ts';
import {
  countedTagBody,
  newTag,
  showCountedTag,
  showTag,
  tagBody,
  tagChanges,
  tagFilters,
  tagName,
} from '../../shared/tags/schema.ts';
import { foldTag } from '../../shared/tags/fold.ts';
import { found } from '../../shared/errors.ts';
import { requireUnused } from '../../shared/flows/find-uses.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { withCause } from '../idempotency.ts';
import { listOf, listQuery, showPage } from '../lists.ts';

/** The account's tags, and those of a contact. */
export const tagRoutes = (deps: ApiDeps): Resource => {
  const tags = createResource(deps, {
    tag: { name: 'Tags', description: 'Labels for contacts.' },
    doors: ['v1', 'dashboard'],
  });
  addTags(tags, deps);
  addTagging(tags, deps);
  return tags;
};

const addTags = (tags: Resource, deps: ApiDeps): void => {
  endpoint(
    tags,
    {
      id: 'createTag',
      method: 'post',
      path: '/tags',
      summary: 'Create a tag',
      description: `Tagging a contact also creates a missing tag.`,
      role: 'agent',
      idempotent: true,
      body: newTag,
      answers: { 201: tagBody },
      refusals: { 409: `When there is one of this name in any letter case, or ${tagLimits.ofAccount}.` },
    },
    async ({ tx, principal, body: { name } }) => showTag(await createTag(tx, principal.accountId, name)),
  );
  endpoint(
    tags,
    {
      id: 'listTags',
      method: 'get',
      path: '/tags',
      summary: 'List tags, newest first',
      role: 'agent',
      query: listQuery.extend(tagFilters),
      answers: { 200: listOf(countedTagBody) },
    },
    ({ principal: { accountId }, query }) =>
      showPage(
        query,
        (page) => deps.reads(accountId, (sql) => listTags(sql, accountId, { ...page, search: query.search })),
        showCountedTag,
      ),
  );
  endpoint(
    tags,
    {
      id: 'getTag',
      method: 'get',
      path: '/tags/:id',
      summary: 'Read a tag',
      role: 'agent',
      noun: 'tag',
      answers: { 200: countedTagBody },
    },
    async ({ principal: { accountId }, id }) =>
      showCountedTag(found('tag', await deps.reads(accountId, (sql) => findTag(sql, accountId, id)))),
  );
  endpoint(
    tags,
    {
      id: 'renameTag',
      method: 'patch',
      path: '/tags/:id',
      summary: 'Rename a tag',
      description: 'Its contacts keep it, and no event is sent.',
      role: 'editor',
      noun: 'tag',
      body: tagChanges,
      answers: { 200: countedTagBody },
      refusals: {
        409: 'When another tag has the name, and while flows use the old one, which `details` say; other letter case is always possible.',
      },
    },
    async ({ principal: { accountId }, id, body: { name } }) => {
      const rename = async (tx: Writer) => {
        const { sql } = tx;
        const before = found('tag', await findTagName(sql, accountId, id));
        // Flows name tags in any letter case.
        if (foldTag(before) !== foldTag(name)) await requireTagUnused(sql, accountId, before);
        return renameTag(tx, { accountId, id, name });
      };
      return showCountedTag(await deps.transact(rename));
    },
  );
  endpoint(
    tags,
    {
      id: 'deleteTag',
      method: 'delete',
      path: '/tags/:id',
      summary: 'Delete a tag, and remove it from its contacts',

      role: 'editor',
      noun: 'tag',
      answers: { 204: null },
      refusals: { 409: 'While flows use it; `details` say which.' },
    },
    ({ principal: { accountId }, id }) =>
      deps.transact(async ({ sql, tell }) => {
        const name = found('tag', await findTagName(sql, accountId, id));
        await requireTagUnused(sql, accountId, name);
        await deleteTag(sql, accountId, id);
        await tell(changed(accountId, 'tags', 'contacts'));
      }),
  );
};

const requireTagUnused = (sql: Sql, accountId: string, name: string): Promise<void> =>
  requireUnused(sql, accountId, { needed: `tag:${name}`, what: `The tag ${name}` });

const params = z.object({ name: tagName });

const addTagging = (tags: Resource, deps: ApiDeps): void => {
  endpoint(
    tags,
    {
      id: 'applyTag',
      method: 'put',
      path: '/contacts/:id/tags/:name',
      summary: 'Tag a contact',
      description: `Sends tag_applied when the contact did not have it. Creates a missing tag. Percent-encode the name.`,
      role: 'agent',
      noun: 'contact',
      params,
      answers: { 200: tagBody },
      refusals: {
        409: `When the contact has ${tagLimits.ofContact} other tags, or the account ${tagLimits.ofAccount}.`,
      },
    },
    async ({ ctx, principal: { accountId }, id: contactId, params: { name } }) =>
      showTag(
        (await deps.transact(async (tx) => putTag(await withCause(tx, ctx), { accountId, contactId, name }))).tag,
      ),
  );
  endpoint(
    tags,
    {
      id: 'removeTag',
      method: 'delete',
      path: '/contacts/:id/tags/:name',
      summary: 'Remove a tag from a contact',
      description: 'Also 204 when the contact does not have it.',
      role: 'agent',
      noun: 'contact',
      params,
      answers: { 204: null },
    },
    async ({ principal: { accountId }, id: contactId, params: { name } }) => {
      await deps.transact((tx) => removeTag(tx, { accountId, contactId, name }));
    },
  );
};
