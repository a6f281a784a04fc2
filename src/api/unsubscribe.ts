import type { Middleware } from 'koa';
import { RequestError } from '../shared/errors.ts';
import { endMails } from '../shared/notifications/settings.ts';
import { createUnsubscribeLinks, unsubscribePath } from '../shared/notifications/unsubscribe-links.ts';
import type { Plan } from '../shared/accounts/plans.ts';
import type { Sql } from '../shared/platform/db/connect.ts';
import type { Door } from './doors.ts';
import { createRouter, type ApiContext, type ApiDeps, type ApiState } from './http.ts';

/**
 * Ends a user's mails about unseen messages, by the link in each: a page with a button, because programs that look into mails open links, and the POST
 * of RFC 8058. The signature of the link is the one credential.
 */
export const unsubscribeDoor = (deps: ApiDeps, share: Middleware<Partial<ApiState>>): Door => {
  const { baseUrl } = deps.config;
  const { userOf } = createUnsubscribeLinks(deps.secrets, { baseUrl });
  const requireUser = (ctx: ApiContext): string => {
    const { user = '', signature = '' } = ctx.params;
    const userId = userOf({ user, signature });
    if (userId === undefined)
      throw new RequestError('forbidden', 'This link is not valid. You can turn mails off on your profile.');
    return userId;
  };
  const router = createRouter();
  router.get('/:user/:signature', (ctx) => {
    requireUser(ctx);
    sendPage(ctx, 'Stop mails about unseen messages?', '<form method="post"><button>Stop these mails</button></form>');
  });
  router.post('/:user/:signature', async (ctx) => {
    const userId = requireUser(ctx);
    const account = await findAccount(deps.db, userId);
    if (account) {
      ctx.state.principal = account;
      const { accountId } = account;
      await share(ctx, () => deps.transact((tx) => endMails(tx, { accountId, userId })));
    }
    sendPage(ctx, 'You get no more of these mails', '<p>Your profile in Parley turns them on again.</p>');
  });
  return {
    side: 'base',
    url: baseUrl,
    prefix: unsubscribePath,
    security: undefined,
    guards: [],
    variants: [],
    resources: [],
    pages: [router],
  };
};

/** Undefined for a user who is gone. */
const findAccount = async (sql: Sql, userId: string): Promise<{ accountId: string; plan: Plan } | undefined> => {
  const [account] = await sql<{ accountId: string; plan: Plan }[]>`
    select a.id as account_id, a.plan from users u join accounts a on a.id = u.account_id where u.id = ${userId}`;
  return account;
};

const sendPage = (ctx: ApiContext, title: string, rest: string): void => {
  ctx.set('Content-Security-Policy', "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${title}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${rest}
    </main>
  </body>
</html>
`;
};
