/** What can keep a request from its answer. */
export const exchangeFailures = ['timeout', 'dns', 'refused_address', 'connect', 'tls', 'reset', 'protocol'] as const;

export type ExchangeFailure = (typeof exchangeFailures)[number];
