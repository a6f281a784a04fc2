import type { Middleware } from 'koa';
import type { z } from 'zod';
import { invalid, notFound, RequestError } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { findVisit, type Visitor, type Webchat } from '../../shared/messages/webchat/find-visit.ts';
import type { ThreadOf } from '../../shared/messages/webchat/thread.ts';
import { endWaitOfVisitor } from '../../shared/messages/webchat/awaited.ts';
import { noteUse } from '../../shared/messages/webchat/visitors.ts';
import { repairTexts } from '../../shared/platform/repair-texts.ts';
import { hashToken } from '../../shared/platform/secrets/tokens.ts';
import type { ApiContext, ApiDeps, ApiState } from '../http.ts';
import { networkOf } from '../middleware/client-address.ts';
import { comesBack } from '../middleware/errors.ts';
import { parseBody, readBody } from '../parse.ts';
import { letPageRead, requireOrigin } from './cors.ts';
import type { VisitorLimits } from './limits.ts';
import type { RefusalPace } from './refusal-pace.ts';
import type { VisitLine } from './visit-line.ts';

/** A request to a webchat: its channel, and the visitor whose token it shows. */
export type Visit = {
  channel: Webchat;
  network: string;
  token: string | undefined;
  visitor: Visitor | undefined;
  /** Counts the request, which is otherwise given back, among those that prove nothing. */
  keepUnproven: () => void;
};

export type VisitDeps = {
  deps: ApiDeps;
  limits: VisitorLimits;
  line: VisitLine;
  pace: RefusalPace;
  share: Middleware<Partial<ApiState>>;
};

type Answer = (ctx: ApiContext, visit: Visit) => Promise<void>;

/** Answers a request to a webchat within its limits, if the page may show it. Throws `not_found`, `forbidden`, `unauthorized` and `rate_limited`. */
export const visiting =
  (visits: VisitDeps, answer: Answer) =>
  async (ctx: ApiContext): Promise<void> => {
    letPageRead(ctx);
    try {
      await answerVisit(visits, ctx, answer);
    } catch (error) {
      if (error instanceof RequestError && comesBack.has(error.code)) {
        // A refusal that waits holds no place of the requests in progress.
        ctx.state.leaveShare?.();
        await visits.pace((ctx.params['id'] ?? '').slice(0, 64), ctx.res);
      }
      throw error;
    }
  };

const answerVisit = async (
  { deps, limits, line, share }: VisitDeps,
  ctx: ApiContext,
  answer: Answer,
): Promise<void> => {
  const network = networkOf(ctx.state.clientAddress ?? '');
  limits.takeRequest(ctx, network);
  const named = ctx.params['id'] ?? '';
  const giveBack = limits.takeUnproven(ctx, network, named);
  let isUnproven = false;
  const keepUnproven = (): void => void (isUnproven = true);
  try {
    const id = parseId('channel', named);
    const given = ctx.get('x-visitor-token');
    const token = /^[\w-]{43}$/.test(given) ? given : undefined;
    const tokenHash = token === undefined ? undefined : hashToken(token);
    const found = id === undefined ? undefined : await line(id, () => findVisit(deps.db, { id, tokenHash }));
    keepUnproven();
    if (!found) throw notFound('channel');
    const { channel } = found;
    const visitor = found.visitor ?? undefined;
    requireOrigin(ctx, channel, deps.config.baseUrl);
    if (given !== '' && !visitor)
      throw new RequestError('unauthorized', 'No visitor of this channel has this token. Forget it, and begin anew.');
    isUnproven = false;
    if (visitor) limits.takeOfVisitor(ctx, visitor.id);
    ctx.state.principal = { accountId: channel.accountId, plan: channel.plan };
    await share(ctx, async () => {
      if (visitor?.isUseUnnoted && tokenHash) await deps.autocommit(({ sql }) => noteUse(sql, tokenHash));
      if (visitor?.isAwaited) await deps.autocommit(({ sql }) => endWaitOfVisitor(sql, visitor.id));
      await answer(ctx, { channel, network, token, visitor, keepUnproven });
    });
  } finally {
    if (!isUnproven) giveBack();
  }
};

/** The visitor of a visit. Throws `unauthorized` without a token, and `forbidden` for one who is not identified where that is required. */
export const requireVisitor = ({ channel, visitor }: Visit): Visitor => {
  if (!visitor) throw new RequestError('unauthorized', 'This needs the header X-Visitor-Token of a visitor.');
  requireIdentified(channel, visitor);
  return visitor;
};

/** Throws `forbidden` where the channel is for identified visitors alone, and this is none. */
export const requireIdentified = ({ config }: Webchat, visitor: Visitor | undefined): void => {
  if (config['require_identity'] === true && (visitor?.identifiedAs ?? null) === null)
    throw new RequestError('forbidden', 'Only visitors whom the site has identified can chat here.');
};

/** Whose thread a visitor reads; undefined before the first message. */
export const threadOf = (channel: Webchat, { contactId }: Visitor): ThreadOf | undefined =>
  contactId === null ? undefined : { accountId: channel.accountId, channelId: channel.id, contactId };

/** The most values in a body: each has a few fields. */
const valuesAtMost = 50;

/** The JSON body of a visit. Throws `invalid_request`, `payload_too_large`, `unsupported_media_type` and `invalid_json`. */
export const visitBody = async <Schema extends z.ZodType>(
  ctx: ApiContext,
  schema: Schema,
  bytes: number,
): Promise<z.infer<Schema>> => {
  const given = repairTexts(await readBody(ctx, schema, { bytes, values: valuesAtMost }));
  if (typeof given !== 'object' || given === null) throw invalid({ path: '', message: 'must be an object' });
  return parseBody(given, schema, { maxValues: valuesAtMost, findMore: async () => [] });
};
