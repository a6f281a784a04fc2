import type { Middleware } from 'koa';
import { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';
import { parseId, showId } from '../../shared/ids.ts';
import { webchatDeclaration } from '../../shared/messages/channels/webchat/declaration.ts';
import { findOfficeHours, officeAt } from '../../shared/messages/channels/webchat/office-hours.ts';
import type { Door } from '../doors.ts';
import { createRouter, type ApiContext, type ApiDeps, type ApiRouter, type ApiState } from '../http.ts';
import { parseQuery } from '../parse.ts';
import { letLast } from '../stream/lasting.ts';
import { answerPreflight, letPageRead } from './cors.ts';
import { sendDemoPage } from './demo-page.ts';
import { createWidgetFiles } from './files.ts';
import { identify } from './identify.ts';
import { createVisitorLimits } from './limits.ts';
import { createRefusalPace } from './refusal-pace.ts';
import { receiveVisitorMessage } from './receive-visitor-message.ts';
import { markReadByVisitor } from '../../shared/messages/webchat/mark-read.ts';
import { exchangeReturnToken } from '../../shared/messages/webchat/links.ts';
import { readBody, returnBody, typingBody } from '../../shared/messages/webchat/schema.ts';
import { nothingSaid, type ShownThread } from '../../shared/messages/webchat/show-thread.ts';
import { findLatest } from '../../shared/messages/webchat/thread.ts';
import { readShownThread } from './read-shown-thread.ts';
import { takeFileOfVisitor } from './upload.ts';
import { createVisitLine } from './visit-line.ts';
import { requireVisitor, threadOf, visitBody, visiting, type Visit } from './visits.ts';

/** The largest body of a request that has no text of a person, in bytes. */
const smallBody = 4 * 1024;

/** What visitors of webchats ask, for which there is no document: the widget is its one client, and comes from the same process (docs/webchat.md). */
export const webchatDoor = (deps: ApiDeps, share: Middleware<Partial<ApiState>>): Door => {
  const { baseUrl } = deps.config;
  return {
    side: 'base',
    url: baseUrl,
    prefix: '/webchat',
    security: undefined,
    guards: [],
    variants: [],
    resources: [],
    pages: [visitorRoutes(deps, share)],
  };
};

const visitorRoutes = (deps: ApiDeps, share: Middleware<Partial<ApiState>>): ApiRouter => {
  const router = createRouter();
  const limits = createVisitorLimits({ messagesPerChannel: deps.config.rateLimitPerMinute });
  const visits = { deps, limits, line: createVisitLine(), pace: createRefusalPace(), share };
  const { text } = webchatDeclaration.limits;
  const files = createWidgetFiles();

  for (const what of ['config', 'messages', 'changes', 'stream', 'read', 'typing', 'identify', 'return', 'media'])
    router.options(`/:id/${what}`, (ctx) => {
      letPageRead(ctx);
      answerPreflight(ctx);
    });
  router.get(
    '/:id/demo',
    visiting(visits, async (ctx, { channel: { id, name, config } }) => {
      const requiresIdentity = config['require_identity'] === true;
      sendDemoPage(ctx, { id: showId('channel', id), name, requiresIdentity });
    }),
  );
  router.get(
    '/:id/config',
    visiting(visits, async (ctx, { channel: { name, config } }) => {
      const { origins: _, mail_after_minutes: __, office_hours: hours, title, ...shown } = config;
      ctx.body = { ...shown, title: title ?? name, office: showOffice(hours), limits: { text } };
    }),
  );
  router.post(
    '/:id/messages',
    visiting(visits, async (ctx, visit) => {
      const { isNew, ...body } = await receiveVisitorMessage(ctx, visits, visit);
      ctx.status = isNew ? 201 : 200;
      ctx.body = body;
    }),
  );
  router.get(
    '/:id/changes',
    visiting(visits, async (ctx, visit) => {
      ctx.body = await readChangesFor(deps, visit, parseQuery(ctx, changesQuery));
    }),
  );
  router.get(
    '/:id/stream',
    visiting(visits, (ctx, visit) => streamChanges(ctx, deps, visit)),
  );
  router.post(
    '/:id/read',
    visiting(visits, async (ctx, visit) => {
      const of = threadOf(visit.channel, requireVisitor(visit));
      const { revision, conversation } = await visitBody(ctx, readBody, smallBody);
      ctx.status = 204;
      const conversationId = conversation === undefined ? undefined : parseId('conversation', conversation);
      // Nobody has one of another kind of id.
      const isNone = conversation !== undefined && conversationId === undefined;
      if (of && !isNone) await deps.transact((tx) => markReadByVisitor(tx, of, { revision, conversationId }));
    }),
  );
  router.post(
    '/:id/typing',
    visiting(visits, async (ctx, visit) => {
      const of = threadOf(visit.channel, requireVisitor(visit));
      const { is_typing: isTyping } = await visitBody(ctx, typingBody, smallBody);
      ctx.status = 204;
      if (!of) return;
      const { accountId } = of;
      const latest = await deps.reads(accountId, (sql) => findLatest(sql, of));
      if (latest?.status === 'open') deps.typingTeller.tell({ accountId, conversationId: latest.id, isTyping });
    }),
  );
  router.post(
    '/:id/identify',
    visiting(visits, async (ctx, visit) => {
      ctx.body = await identify(ctx, deps, visit);
    }),
  );
  router.post(
    '/:id/return',
    visiting(visits, async (ctx, { channel, keepUnproven }) => {
      const { token } = await visitBody(ctx, returnBody, smallBody);
      const visitorToken = await deps.transact(({ sql }) => exchangeReturnToken(sql, { channelId: channel.id, token }));
      if (visitorToken === undefined) {
        keepUnproven();
        throw new RequestError('forbidden', 'This link was used, or has expired.');
      }
      ctx.body = { visitor_token: visitorToken };
    }),
  );
  router.post(
    '/:id/media',
    visiting(visits, async (ctx, visit) => {
      ctx.body = await takeFileOfVisitor(ctx, visits, visit);
      ctx.status = 201;
    }),
  );
  router.get('/:file', files.sendLoader);
  router.get('/:id/:part', files.sendPart);
  return router;
};

/** Whether somebody is there, and for how many seconds nothing changes about that; null for a channel without office hours. */
const showOffice = (stored: unknown): { is_open: boolean; changes_in: number } | null => {
  const hours = findOfficeHours(stored);
  if (!hours) return null;
  const now = new Date();
  const { isOpen, nextLook } = officeAt(hours, now);
  // A browser's clock may be wrong, but not by how much time passes.
  return { is_open: isOpen, changes_in: Math.ceil((nextLook.getTime() - now.getTime()) / 1_000) };
};

const typeId = z.string().max(64).optional();

const changesQuery = z.strictObject({
  after: z.coerce.number().int().min(0).default(0),
  conversation: typeId,
  before: typeId,
});

const askedOf = ({ after, conversation }: Pick<z.infer<typeof changesQuery>, 'after' | 'conversation'>) => ({
  after,
  // Another text is no conversation of the visitor.
  conversationId: conversation === undefined ? undefined : (parseId('conversation', conversation) ?? ''),
});

const streamChanges = async (ctx: ApiContext, deps: ApiDeps, visit: Visit): Promise<void> => {
  const { channel, network } = visit;
  const visitor = requireVisitor(visit);
  const asked = askedOf(parseQuery(ctx, changesQuery.omit({ before: true })));
  ctx.status = 200;
  // A HEAD is answered by its head alone.
  if (ctx.method === 'HEAD') return;
  const { id: visitorId, externalId, identifiedAs } = visitor;
  const { id, accountId } = channel;
  const owner = {
    channel: { id, accountId },
    visitorId,
    network,
    externalId,
    isIdentified: identifiedAs !== null,
    of: threadOf(channel, visitor),
  };
  await deps.visitorStreams.open(ctx.res, { ...owner, origin: ctx.get('origin'), host: ctx.host }, asked);
  ctx.respond = false;
  letLast(ctx.res);
  ctx.state.leaveShare?.();
};

const readChangesFor = async (
  deps: ApiDeps,
  visit: Visit,
  { before, ...asked }: z.infer<typeof changesQuery>,
): Promise<ShownThread> => {
  const of = threadOf(visit.channel, requireVisitor(visit));
  if (!of) return nothingSaid;
  const first = before === undefined ? undefined : parseId('message', before);
  if (before !== undefined && first === undefined)
    throw new RequestError('invalid_request', '`before` must be the id of a message.');
  const showing = { linkTo: deps.media.linkTo, isAgentTyping: deps.visitorStreams.isAgentTyping };
  return deps.reads(of.accountId, (db) => readShownThread(db, of, { ...askedOf(asked), before: first }, showing));
};
