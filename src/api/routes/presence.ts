import { z } from 'zod';
import { notFound } from '../../shared/errors.ts';
import { presenceBeat, tabName } from '../../shared/presence/schema.ts';
import { isSubject, namesSubject } from '../../shared/presence/subjects.ts';
import { exampleId } from '../../shared/ids.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext, ApiDeps } from '../http.ts';
import type { Principal } from '../principal.ts';
import { createResource, type Resource } from '../resource.ts';
import { requireUser } from '../roles.ts';
import { createTryBudget, takeTry } from '../try-budget.ts';

const params = z.object({
  subject: z
    .string()
    .max(64)
    .meta({ description: 'A flow, conversation or contact, or `inbox`.', example: exampleId('flow') }),
  tab: tabName,
});

/** The most beats of a session. A tab sends six in a minute, and one whenever it turns to another part. */
const beatsOfSession = { tries: 120, windowSeconds: 60 };

/** Who is at a thing, and what they edit. It is kept in memory alone: see `createPresenceOfStreams`. */
export const presenceRoutes = (deps: ApiDeps): Resource => {
  const presence = createResource(deps, {
    tag: { name: 'Presence', description: 'Who is at a flow, conversation or contact, and what they edit.' },
    doors: ['dashboard'],
  });
  const budget = createTryBudget(beatsOfSession);
  const takeBeat = (ctx: ApiContext, principal: Principal) => {
    const user = requireUser(principal);
    takeTry(ctx, budget, user.sessionId);
    return { accountId: principal.accountId, ...user };
  };
  endpoint(
    presence,
    {
      id: 'putPresence',
      method: 'put',
      path: '/presence/:subject/:tab',
      summary: 'Say that you are here',
      description:
        'A tab repeats it every ten seconds, and whenever it turns to another part; after 30 s without it has gone. Others who are here get a `presence` event of the stream. A session can be at 8 subjects, and leaves the one it was at longest ago. A subject shows 50 tabs. A session at `inbox` hears of all conversations. In a conversation, the part is `reply` or `note` while a user types one.',
      role: 'agent',
      params,
      body: presenceBeat,
      answers: { 204: null },
      refusals: { 429: 'Too many requests, or more than 120 of them in a minute by one session.' },
    },
    async ({ ctx, principal, params: { subject, tab }, body: { part } }) => {
      const owner = takeBeat(ctx, principal);
      if (!(await deps.reads(owner.accountId, (sql) => isSubject(sql, owner.accountId, subject))))
        throw notFound('subject');
      deps.presenceTeller.tell({ ...owner, tab, subject, part, hasLeft: false });
    },
  );
  endpoint(
    presence,
    {
      id: 'deletePresence',
      method: 'delete',
      path: '/presence/:subject/:tab',
      summary: 'Say that you leave',
      role: 'agent',
      params,
      answers: { 204: null },
    },
    async ({ ctx, principal, params: { subject, tab } }) => {
      const owner = takeBeat(ctx, principal);
      if (!namesSubject(subject)) throw notFound('subject');
      deps.presenceTeller.tell({ ...owner, tab, subject, part: null, hasLeft: true });
    },
  );
  return presence;
};
