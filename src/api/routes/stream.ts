import { z } from 'zod';
import { conversationHintBody, hintBody, typingHintBody } from '../../shared/hints/schema.ts';
import { presenceBody } from '../../shared/presence/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { requireUser } from '../roles.ts';
import { letLast } from '../stream/lasting.ts';

/** What has changed, for pages that are open. */
export const streamRoutes = (deps: ApiDeps): Resource => {
  const stream = createResource(deps, {
    tag: { name: 'Stream', description: 'Hints of what has changed, for pages that are open.' },
    doors: ['dashboard'],
  });
  endpoint(
    stream,
    {
      id: 'streamHints',
      method: 'get',
      path: '/stream',
      summary: 'Stream changes',
      description:
        'Server-sent events, each a hint, as long as the client listens and its session lasts. A hint may come twice, and none is sent again: a page reads what it shows on each hint, and whenever it has connected. At most one hint of a topic in a second, or in 20 ms of conversations and messages; four streams of a session, twelve of a user. Events named `conversation` have a ConversationHint: a conversation has come to this revision. Events named `presence` have a Presence: who is at a subject, whenever that changes, of the subjects at which the session is itself. Events named `typing` have a TypingHint: a contact types.',
      role: 'agent',
      answers: { 200: null },
      events: z.union([hintBody, conversationHintBody, presenceBody, typingHintBody]),
      refusals: { 429: 'Too many requests, or too many streams of the session, the user or the account.' },
    },
    async ({ ctx, principal }) => {
      ctx.status = 200;
      // A HEAD is answered by its head alone.
      if (ctx.method === 'HEAD') return;
      const { accountId, role = 'agent' } = principal;
      await deps.streams.open(ctx.res, { accountId, ...requireUser(principal), role });
      ctx.respond = false;
      letLast(ctx.res);
      ctx.state.leaveShare?.();
    },
  );
  return stream;
};
