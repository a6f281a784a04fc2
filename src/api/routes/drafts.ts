import { z } from 'zod';
import { deleteDraft, getDraft, saveDraft, type WhichDraft } from '../../shared/messages/drafts/drafts.ts';
import { draftBody, draftKind, draftLimits, draftText, showDraft } from '../../shared/messages/drafts/schema.ts';
import { endpoint } from '../endpoint.ts';
import { readIfMatch } from '../if-match.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import type { Principal } from '../principal.ts';
import { requireUser } from '../roles.ts';

const params = z.object({ kind: draftKind });

/** What users have written in conversations and not sent yet. */
export const draftRoutes = (deps: ApiDeps): Resource => {
  const drafts = createResource(deps, {
    tag: { name: 'Drafts', description: 'What you have written in conversations, and not sent yet.' },
    doors: ['dashboard'],
  });
  const { db, transact } = deps;
  const path = '/conversations/:id/drafts/:kind';
  endpoint(
    drafts,
    {
      id: 'getDraftInConversation',
      method: 'get',
      path,
      summary: 'Read your draft in a conversation',
      description: 'Without a draft, its text is empty and its revision 0.',
      role: 'agent',
      noun: 'conversation',
      params,
      etag: true,
      answers: { 200: draftBody },
    },
    async ({ principal, id, params: { kind } }) => showDraft(await getDraft(db, whichOf(principal, id, kind))),
  );
  endpoint(
    drafts,
    {
      id: 'saveDraftInConversation',
      method: 'put',
      path,
      summary: 'Save your draft in a conversation',
      description:
        'The last one saved wins, unless you send If-Match. Sending the reply, or writing the note, deletes it.',
      role: 'agent',
      noun: 'conversation',
      params,
      body: draftText,
      repairsTexts: true,
      etag: true,
      ifMatch: true,
      answers: { 200: draftBody },
      refusals: { 409: `When you have ${draftLimits.drafts} drafts.` },
    },
    async ({ ctx, principal, id, params: { kind }, body: { text } }) =>
      showDraft(
        await transact(({ sql }) => saveDraft(sql, whichOf(principal, id, kind), { text, expected: readIfMatch(ctx) })),
      ),
  );
  endpoint(
    drafts,
    {
      id: 'deleteDraftInConversation',
      method: 'delete',
      path,
      summary: 'Delete your draft in a conversation',
      role: 'agent',
      noun: 'conversation',
      params,
      answers: { 204: null },
    },
    async ({ principal, id, params: { kind } }) =>
      transact(async ({ sql }) => {
        const which = whichOf(principal, id, kind);
        await getDraft(sql, which);
        await deleteDraft(sql, which);
      }),
  );
  return drafts;
};

const whichOf = (principal: Principal, conversationId: string, kind: WhichDraft['kind']): WhichDraft => ({
  accountId: principal.accountId,
  userId: requireUser(principal).userId,
  conversationId,
  kind,
});
