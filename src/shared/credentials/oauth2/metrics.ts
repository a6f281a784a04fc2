import { Counter, type Registry } from 'prom-client';

/** Counts exchanges with token endpoints by outcome; `busy` ones were not made, because the account's share was taken. */
export type TokenMetrics = { tokenAsked: (outcome: 'renewed' | 'refused' | 'failed' | 'busy') => void };

/** Creates the instruments; docs/metrics.md describes them. Labels are enums, so that their values stay few. */
export const createTokenMetrics = (registry: Registry): TokenMetrics => {
  const renewals = new Counter({
    name: 'parley_token_renewals_total',
    help: 'Requests for OAuth 2.0 access tokens, by outcome; a failed or busy one is repeated',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { tokenAsked: (outcome) => renewals.inc({ outcome }) };
};
