import { changeCannedReply, createCannedReply, removeCannedReply } from '../../shared/canned-replies/manage.ts';
import { findCannedReply, listCannedReplies } from '../../shared/canned-replies/queries.ts';
import { renderCannedReply } from '../../shared/canned-replies/render.ts';
import {
  cannedReplyBody,
  cannedReplyChanges,
  cannedReplyFilters,
  cannedReplyFor,
  cannedReplyLimits,
  cannedReplyNoun,
  newCannedReply,
  renderedReplyBody,
  showCannedReply,
} from '../../shared/canned-replies/schema.ts';
import { found } from '../../shared/errors.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, shortListQuery, showShortPage } from '../lists.ts';

const refusals = {
  409: `When another one has the shortcut, or the account has ${cannedReplyLimits.ofAccount}.`,
  422: 'The request is not valid, or `text` has a placeholder that nothing fills in.',
};

/** Texts that agents answer with again and again. */
export const cannedReplyRoutes = (deps: ApiDeps): Resource => {
  const replies = createResource(deps, {
    tag: { name: 'Canned replies', description: 'Texts that agents insert into their answers.' },
    doors: ['v1', 'dashboard'],
  });
  addReading(replies, deps);
  addWriting(replies, deps);
  return replies;
};

const addReading = (replies: Resource, deps: ApiDeps): void => {
  endpoint(
    replies,
    {
      id: 'listCannedReplies',
      method: 'get',
      path: '/canned-replies',
      summary: 'List canned replies, newest first',
      role: 'agent',
      query: shortListQuery.extend(cannedReplyFilters),
      answers: { 200: listOf(cannedReplyBody) },
    },
    ({ principal: { accountId }, query }) =>
      showShortPage(
        query,
        (page) => deps.reads(accountId, (sql) => listCannedReplies(sql, accountId, { ...page, search: query.search })),
        showCannedReply,
      ),
  );
  endpoint(
    replies,
    {
      id: 'getCannedReply',
      method: 'get',
      path: '/canned-replies/:id',
      summary: 'Read a canned reply',
      role: 'agent',
      noun: cannedReplyNoun,
      answers: { 200: cannedReplyBody },
    },
    async ({ principal: { accountId }, id }) =>
      showCannedReply(found('canned reply', await findCannedReply(deps.db, accountId, id))),
  );
  endpoint(
    replies,
    {
      id: 'renderCannedReply',
      method: 'post',
      path: '/canned-replies/:id/render',
      summary: 'Fill a canned reply in for a contact',
      description: 'Sends nothing. A placeholder without a value becomes empty.',
      role: 'agent',
      noun: cannedReplyNoun,
      body: cannedReplyFor,
      answers: { 200: renderedReplyBody },
    },
    async ({ principal: { accountId }, id, body: { contact_id: contactId } }) => ({
      text: await deps.reads(accountId, (sql) =>
        renderCannedReply(sql, { accountId, id, contactId, lastingLinkTo: deps.media.lastingLinkTo }),
      ),
    }),
  );
};

const addWriting = (replies: Resource, { transact }: ApiDeps): void => {
  endpoint(
    replies,
    {
      id: 'createCannedReply',
      method: 'post',
      path: '/canned-replies',
      summary: 'Create a canned reply',
      role: 'editor',
      idempotent: true,
      body: newCannedReply,
      answers: { 201: cannedReplyBody },
      refusals,
    },
    async ({ tx, principal: { accountId }, body }) => showCannedReply(await createCannedReply(tx, accountId, body)),
  );
  endpoint(
    replies,
    {
      id: 'changeCannedReply',
      method: 'patch',
      path: '/canned-replies/:id',
      summary: 'Change a canned reply',
      role: 'editor',
      noun: cannedReplyNoun,
      body: cannedReplyChanges,
      answers: { 200: cannedReplyBody },
      refusals,
    },
    async ({ principal: { accountId }, id, body: changes }) =>
      showCannedReply(await transact((tx) => changeCannedReply(tx, { accountId, id, changes }))),
  );
  endpoint(
    replies,
    {
      id: 'deleteCannedReply',
      method: 'delete',
      path: '/canned-replies/:id',
      summary: 'Delete a canned reply',
      role: 'editor',
      noun: cannedReplyNoun,
      answers: { 204: null },
    },
    ({ principal: { accountId }, id }) => transact((tx) => removeCannedReply(tx, accountId, id)),
  );
};
