import { setTimeout as sleep } from 'node:timers/promises';
import type { EventTransact } from '../../facts/tell.ts';
import { newUuid, showId } from '../../ids.ts';
import { askAs } from '../../platform/bulkhead/asker.ts';
import { orAbort, withDeadline } from '../../platform/deadline.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Logger } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import { unreachable } from '../../unreachable.ts';
import { exchangeToken, type Exchanged } from './exchange.ts';
import type { TokenMetrics } from './metrics.ts';
import { claimToken, giveBack, refuseToken, rejectToken, writeToken, type Claimed, type TokenKey } from './rows.ts';
import { tellRefusal, type Urls } from './tell-refusal.ts';

export type TokensDeps = Urls & {
  transact: EventTransact;
  secrets: Secrets;
  egress: Pick<Egress, 'request'>;
  log: Logger;
  metrics: TokenMetrics;
  limits?: Partial<typeof usualLimits>;
};

const usualLimits = {
  /** How long a token endpoint may take, in ms. */
  exchangeTimeoutMs: 10_000,
  /** The longest that a caller waits for a token, in ms: longer than one exchange. */
  patienceMs: 15_000,
  /** The most callers of one process that wait for the token of a credential. */
  mostWaiting: 5_000,
};

/**
 * The outcome of asking for a token. `settled`: the row has one, or says that none is to be had. `failed`: the token endpoint gave none.
 * `later`: nobody was asked, for reasons of ours or because the endpoint has just failed.
 */
export type Renewed = { type: 'settled' } | { type: 'failed'; code: string } | { type: 'later'; ms: number };

/** Renews access tokens: one exchange at a time for a credential, however many processes and callers want its token. */
export type Tokens = {
  /**
   * Waits until another token is there, 15 s at most. While the old one is still good, it waits for nobody else, and answers `settled`. Never
   * throws but for faults of ours and the signal's reason.
   */
  renew: (
    key: Omit<TokenKey, 'version'>,
    options: { isGood: boolean; signal?: AbortSignal | undefined },
  ) => Promise<Renewed>;
  /** Ends the life of a token to which a service has answered 401. Answers whether a repetition would have another one. */
  reject: (key: TokenKey) => Promise<boolean>;
};

type Deps = Omit<TokensDeps, 'limits'> & typeof usualLimits;

/** How often the row is read while another process has the lease, in ms. */
const pollMs = 200;

/** A caller that was not served comes back after this, in ms. */
const backInMs = 1_000;

/** How long a token that was got is kept in memory while the database is away, in ms, and how long it is waited for at once. */
const bookkeeping = { patienceMs: 60_000, atOnceMs: 10_000, pauseMs: 250 };

export const createTokens = ({ limits, ...given }: TokensDeps): Tokens => {
  const deps = { ...given, ...usualLimits, ...limits };
  const underWay = new Map<string, { renewed: Promise<Renewed>; waiting: number }>();
  return {
    renew: async (key, { isGood, signal }) => {
      const known = underWay.get(key.credentialId);
      if (known && isGood) return { type: 'settled' };
      if (known && known.waiting >= deps.mostWaiting) return { type: 'later', ms: backInMs };
      const one = known ?? { renewed: begin(deps, key, { isGood }), waiting: 0 };
      if (!known) {
        underWay.set(key.credentialId, one);
        const forget = () => underWay.delete(key.credentialId);
        one.renewed.then(forget, forget);
      }
      one.waiting += 1;
      const patience = AbortSignal.timeout(deps.patienceMs);
      try {
        return await orAbort(one.renewed, signal ? AbortSignal.any([signal, patience]) : patience);
      } catch (error) {
        if (patience.aborted && error === patience.reason) return { type: 'later', ms: backInMs };
        throw error;
      } finally {
        one.waiting -= 1;
      }
    },
    reject: (key) => deps.transact((tx) => rejectToken(tx, key)),
  };
};

/** For the account, and for no caller: others wait for it as well, and it goes on when the first of them has left. */
const begin = (deps: Deps, key: Omit<TokenKey, 'version'>, options: { isGood: boolean }): Promise<Renewed> =>
  askAs({ accountId: key.accountId }, () => renew(deps, key, options));

const renew = async (deps: Deps, key: Omit<TokenKey, 'version'>, { isGood }: { isGood: boolean }): Promise<Renewed> => {
  const untilMs = performance.now() + deps.patienceMs;
  const lease = newUuid();
  let hasWaited = false;
  for (;;) {
    const claimed = await deps.transact((tx) => claimToken(tx, deps.secrets, { ...key, lease }));
    if (claimed.type === 'settled' || (isGood && claimed.type !== 'mine')) return { type: 'settled' };
    if (claimed.type === 'mine') return exchange(deps, { ...key, lease }, claimed);
    // The exchange of another process for which this one has waited has failed: nobody waits for the next one.
    if (claimed.type === 'paused')
      return hasWaited ? { type: 'failed', code: claimed.code } : { type: 'later', ms: spread(claimed.leftMs) };
    hasWaited = true;
    if (performance.now() > untilMs) return { type: 'later', ms: backInMs };
    await sleep(pollMs);
  }
};

/** Those who wait for the same moment do not come back at once. */
const spread = (ms: number): number => Math.ceil(ms + Math.random() * Math.max(ms, backInMs));

type Mine = Extract<Claimed, { type: 'mine' }>;

/** The exchange is made outside of any transaction. Its outcome is written before anybody hears of it. */
const exchange = async (
  deps: Deps,
  held: Omit<TokenKey, 'version'> & { lease: string },
  { version, client }: Mine,
): Promise<Renewed> => {
  const { transact, secrets, log, metrics } = deps;
  const key = { ...held, version };
  const { wasInDoubt } = client;
  const startedMs = performance.now();
  const got = await exchangeToken(deps.egress, held.accountId, { client, timeoutMs: deps.exchangeTimeoutMs });
  tell(log, key, got, performance.now() - startedMs);
  metrics.tokenAsked(got.type === 'token' ? 'renewed' : got.type);
  switch (got.type) {
    case 'token':
      await keepTrying(() => transact((tx) => writeToken(tx, secrets, key, got)));
      return { type: 'settled' };
    case 'refused': {
      // A refresh token counts once. The one whose exchange was broken off has a successor that nobody here knows.
      const code = got.code === 'invalid_grant' && wasInDoubt ? 'interrupted' : got.code;
      await transact(async (tx) => {
        if (await refuseToken(tx, key, code)) await tellRefusal(tx, deps, { ...key, code });
      });
      return { type: 'settled' };
    }
    case 'busy':
      await transact((tx) => giveBack(tx, key, { wasInDoubt }));
      return { type: 'later', ms: backInMs };
    case 'failed': {
      const inDoubt = wasInDoubt || ('inDoubt' in got && got.inDoubt);
      await transact((tx) => giveBack(tx, key, { code: got.code, inDoubt }));
      return { type: 'failed', code: got.code };
    }
    default:
      return unreachable(got);
  }
};

/** A token that was got cannot be got again where the service has replaced the refresh token. */
const keepTrying = async (write: () => Promise<unknown>): Promise<void> => {
  const untilMs = performance.now() + bookkeeping.patienceMs;
  for (;;) {
    try {
      await withDeadline(bookkeeping.atOnceMs, 'writing an access token', write);
      return;
    } catch (error) {
      if (performance.now() > untilMs) throw error;
      await sleep(bookkeeping.pauseMs);
    }
  }
};

const tell = (log: Logger, { accountId, credentialId }: TokenKey, got: Exchanged, ms: number): void => {
  const about = {
    account_id: showId('account', accountId),
    credential_id: showId('credential', credentialId),
    duration_ms: Math.round(ms),
    ...('code' in got && { reason: got.code }),
  };
  if (got.type === 'token') log.info(about, 'token.renewed');
  else log.warn(about, `token.${got.type}`);
};
