import type { Middleware } from 'koa';
import { invalid, notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { acknowledge } from '../../shared/messages/channels/acknowledge.ts';
import type { ChannelKind, OpenChannel, PublicInbound } from '../../shared/messages/channels/kind.ts';
import { findPublicChannel } from '../../shared/messages/channels/queries.ts';
import { openConfig } from '../../shared/messages/channels/stored-config.ts';
import { receiveTold } from '../../shared/messages/inbound/receive-told.ts';
import { bodyBytes } from '../body.ts';
import type { Door } from '../doors.ts';
import { createRouter, type ApiContext, type ApiDeps, type ApiRouter, type ApiState } from '../http.ts';
import { networkOf } from '../middleware/client-address.ts';
import type { Principal } from '../principal.ts';
import { createKnownProofs, type KnownProofs } from '../known-proofs.ts';
import { createTryBudget, takeTry, type TryBudget } from '../try-budget.ts';

const windowSeconds = 60;

/** The most requests of a minute from one network that prove nothing: over one channel, so that one that is gone spoils no other; and in all. */
const unprovenAtMost = { perChannel: 200, perNetwork: 1_000 };

type Budgets = { ofChannels: TryBudget; ofNetworks: TryBudget; proven: TryBudget; known: KnownProofs };

/** The doors by which services hand in what contacts write: one for each kind of channel that has a way in. */
export const publicDoors = (deps: ApiDeps, share: Middleware<Partial<ApiState>>): Door[] => {
  const { baseUrl, rateLimitPerMinute } = deps.config;
  const budgets: Budgets = {
    ofChannels: createTryBudget({ tries: unprovenAtMost.perChannel, windowSeconds }),
    ofNetworks: createTryBudget({ tries: unprovenAtMost.perNetwork, windowSeconds }),
    proven: createTryBudget({ tries: rateLimitPerMinute, windowSeconds }),
    known: createKnownProofs(),
  };
  return Object.entries(deps.channelKinds).flatMap(([type, kind]) => {
    const { inbound } = kind;
    if (!inbound) return [];
    const pages = [createInbound(deps, { type, kind, inbound, budgets, share })];
    return [
      {
        side: 'base',
        url: baseUrl,
        prefix: `/${type}`,
        security: undefined,
        guards: [],
        variants: [],
        resources: [],
        pages,
      },
    ];
  });
};

type Way = {
  type: string;
  kind: ChannelKind;
  inbound: PublicInbound;
  budgets: Budgets;
  share: Middleware<Partial<ApiState>>;
};

const createInbound = (deps: ApiDeps, { type, kind, inbound, budgets, share }: Way): ApiRouter => {
  const router = createRouter();
  router.post('/:id', async (ctx) => {
    const { channel, principal, request } = await prove(ctx, deps, { type, inbound, budgets });
    takeTry(ctx, budgets.proven, channel.id);
    ctx.state.principal = principal;
    const told = inbound.read(channel, request);
    if (!told) throw invalid({ path: '', message: `is not a request for a channel of type ${type}` });
    const over = { accountId: channel.accountId, channelId: channel.id };
    // Files come before the request takes its share.
    await deps.arrivals.bring({ kind, channel, told }, (whole) => share(ctx, () => receiveTold(deps, over, whole)));
    acknowledge(deps, kind, { channel, told });
    ctx.status = 204;
  });
  return router;
};

type Proven = {
  channel: OpenChannel;
  principal: Principal;
  request: Parameters<PublicInbound['read']>[1];
};

/**
 * The channel that a request is for, if it comes from the channel's service. A channel that is not there and a wrong proof are one answer: throws
 * `not_found` for both, `payload_too_large`, and `rate_limited` when too many have proved nothing. Those that prove it take nothing from that, and one
 * whose proof held in the last minutes does not wait for others of its network that prove nothing.
 */
const prove = async (
  ctx: ApiContext,
  { db, secrets }: ApiDeps,
  { type, inbound, budgets: { ofChannels, ofNetworks, known } }: Omit<Way, 'kind' | 'share'>,
): Promise<Proven> => {
  const named = ctx.params['id'] ?? '';
  const network = networkOf(ctx.state.clientAddress ?? '');
  const key = `${network} ${named.slice(0, 64)}`;
  const proof = `${named} ${ctx.get(inbound.proof)}`;
  const isKnown = known.has(proof);
  if (!isKnown) {
    takeTry(ctx, ofChannels, key);
    takeTry(ctx, ofNetworks, network);
  }
  const body = await bodyBytes(ctx, inbound.bodyBytes);
  const id = parseId('channel', named);
  const stored = id === undefined ? undefined : await findPublicChannel(db, { type, id });
  if (id === undefined || !stored) {
    known.drop(proof);
    throw notFound('channel');
  }
  const { accountId, plan } = stored;
  const channel = { id, accountId, config: openConfig(secrets, { accountId, rowId: id }, stored) };
  const request = { headers: ctx.req.headers, query: ctx.URL.searchParams, body };
  if (!inbound.proves(channel, request)) {
    known.drop(proof);
    throw notFound('channel');
  }
  known.add(proof);
  if (!isKnown) {
    ofChannels.giveBack(key);
    ofNetworks.giveBack(network);
  }
  return { channel, principal: { accountId, plan }, request };
};
