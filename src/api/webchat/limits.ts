import type { ApiContext } from '../http.ts';
import { RequestError } from '../../shared/errors.ts';
import { createSharedBudget } from '../shared-budget.ts';
import { createTryBudget, takeTry } from '../try-budget.ts';

const windowSeconds = 60;

/**
 * What may come in a minute. An office of 200 people behind one address can chat: each of them has 30 requests and one beginning. Requests that prove
 * nothing are those without a channel, and those with a token or hash that is none of it.
 */
export type VisitorBounds = {
  perNetwork: number;
  unprovenPerChannel: number;
  unprovenPerNetwork: number;
  perVisitor: number;
  messagesPerVisitor: number;
  beginningsPerNetwork: number;
  /** Of all visitors, whose networks share them. */
  messagesPerChannel: number;
};

const usual = {
  perNetwork: 6_000,
  unprovenPerChannel: 500,
  unprovenPerNetwork: 1_000,
  perVisitor: 240,
  messagesPerVisitor: 30,
  beginningsPerNetwork: 200,
};

const said = {
  network: 'Too many requests come from your network. Wait a moment.',
  visitor: 'You do this too often. Wait a moment.',
  messages: 'You write too fast. Wait a moment.',
  beginnings: 'Too many chats begin in your network. Wait a moment.',
  messagesOfNetwork: 'Too many messages come from your network. Wait a moment.',
  channel: 'Too many people write at the moment. Wait a moment.',
};

export type VisitorLimits = ReturnType<typeof createVisitorLimits>;

/** Counts in the memory of each process. All throw `rate_limited` with `Retry-After`. */
export const createVisitorLimits = (bounds: Pick<VisitorBounds, 'messagesPerChannel'> & Partial<VisitorBounds>) => {
  const most = { ...usual, ...bounds };
  const budgetOf = (tries: number) => createTryBudget({ tries, windowSeconds });
  const ofNetworks = budgetOf(most.perNetwork);
  const unprovenOfChannels = budgetOf(most.unprovenPerChannel);
  const unprovenOfNetworks = budgetOf(most.unprovenPerNetwork);
  const ofVisitors = budgetOf(most.perVisitor);
  const messagesOfVisitors = budgetOf(most.messagesPerVisitor);
  const beginningsOfNetworks = budgetOf(most.beginningsPerNetwork);
  const messagesOfChannels = createSharedBudget({ tries: most.messagesPerChannel, windowSeconds });
  return {
    takeRequest: (ctx: ApiContext, network: string): void => takeTry(ctx, ofNetworks, network, said.network),
    /** Takes a request that has proved nothing yet. Answers what gives it back. */
    takeUnproven: (ctx: ApiContext, network: string, channel: string): (() => void) => {
      const key = `${network} ${channel.slice(0, 64)}`;
      takeTry(ctx, unprovenOfChannels, key, said.network);
      takeTry(ctx, unprovenOfNetworks, network, said.network);
      return () => {
        unprovenOfChannels.giveBack(key);
        unprovenOfNetworks.giveBack(network);
      };
    },
    takeOfVisitor: (ctx: ApiContext, visitorId: string): void => takeTry(ctx, ofVisitors, visitorId, said.visitor),
    /**
     * Takes a message of a visitor, or a chat that begins with one. What the channel has no room for takes nothing: who comes back later finds all of their own.
     */
    takeMessage: (ctx: ApiContext, { channelId, network, visitorId }: Writing) => {
      const [own, key, say] =
        visitorId === undefined
          ? ([beginningsOfNetworks, network, said.beginnings] as const)
          : ([messagesOfVisitors, visitorId, said.messages] as const);
      takeTry(ctx, own, key, say);
      const { isTaken, left, leftToAll, waitSeconds } = messagesOfChannels.take(channelId, network);
      if (isTaken) return;
      own.giveBack(key);
      ctx.set('Retry-After', String(waitSeconds));
      throw new RequestError('rate_limited', left < leftToAll ? said.messagesOfNetwork : said.channel);
    },
  };
};

/** Who writes over a channel; no visitor where a chat begins. */
type Writing = { channelId: string; network: string; visitorId: string | undefined };
