import type { Middleware } from 'koa';
import { RequestError } from '../shared/errors.ts';
import { endMailsToVisitor } from '../shared/messages/webchat/awaited.ts';
import { endMails } from '../shared/notifications/settings.ts';
import { createUnsubscribeLinks, unsubscribePath, type Reader } from '../shared/notifications/unsubscribe-links.ts';
import type { Plan } from '../shared/accounts/plans.ts';
import type { Sql } from '../shared/platform/db/connect.ts';
import type { Door } from './doors.ts';
import { createRouter, type ApiContext, type ApiDeps, type ApiState } from './http.ts';

/**
 * Ends the mails about messages to a user, or to a visitor of a webchat, by the link in each: a page with a button, because programs that look into mails open links, and the POST
 * of RFC 8058. The signature of the link is the one credential.
 */
export const unsubscribeDoor = (deps: ApiDeps, share: Middleware<Partial<ApiState>>): Door => {
  const { baseUrl } = deps.config;
  const { readerOf } = createUnsubscribeLinks(deps.secrets, { baseUrl });
  const requireReader = (ctx: ApiContext): Reader => {
    const { reader: id = '', signature = '' } = ctx.params;
    const reader = readerOf({ id, signature });
    if (!reader) throw new RequestError('forbidden', 'This link is not valid. Open it as it stands in the mail.');
    return reader;
  };
  const router = createRouter();
  router.get('/:reader/:signature', (ctx) => {
    requireReader(ctx);
    sendPage(ctx, 'Stop mails about messages?', '<form method="post"><button>Stop these mails</button></form>');
  });
  router.post('/:reader/:signature', async (ctx) => {
    const reader = requireReader(ctx);
    const account = await findAccount(deps.db, reader);
    if (account) {
      ctx.state.principal = account;
      const { accountId } = account;
      await share(ctx, () =>
        deps.transact((tx) =>
          'userId' in reader
            ? endMails(tx, { accountId, userId: reader.userId })
            : endMailsToVisitor(tx.sql, reader.visitorId),
        ),
      );
    }
    sendPage(ctx, 'You get no more of these mails', '');
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

/** Undefined for a reader who is gone. */
const findAccount = async (sql: Sql, reader: Reader): Promise<{ accountId: string; plan: Plan } | undefined> => {
  const [account] = await sql<{ accountId: string; plan: Plan }[]>`
    select a.id as account_id, a.plan from accounts a join ${
      'userId' in reader
        ? sql`users r on r.id = ${reader.userId}`
        : sql`webchat_visitors r on r.id = ${reader.visitorId}`
    } and r.account_id = a.id`;
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
