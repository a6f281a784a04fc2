/** The codes of attempts and ends of runs, as Temporal's UI says them. */
const words: Readonly<Record<string, string>> = {
  origin_down: 'the service is down, so requests to it pause',
  call_limit: 'the run has made as many requests as it may for now',
  token_wait: 'its access token is being renewed',
  next_try: 'the attempt before failed',
  next_item: 'the next item follows',
  items: 'for_each has no list that it takes',
  timeout: 'no answer in time',
  dns: 'its host name was not found',
  connect: 'no connection',
  tls: 'its certificate was refused',
  reset: 'the connection was lost',
  protocol: 'the answer was no HTTP',
  refused_address: 'the address may not be called',
  blocked: 'the contact is blocked',
  unsubscribed: 'the contact is unsubscribed',
  no_channel: 'the contact has not written on a channel yet',
  too_large: 'the answer was too large',
  encoding: 'the answer could not be decoded',
  redirect: 'a redirect could not be followed',
  mapping: 'the answer could not be mapped',
  success_when: 'no rule of success_when held',
  invalid_request: 'the request could not be made',
  credential: 'its credential was refused, or may not go there',
  token: 'the token endpoint gave no access token',
  outcome_unknown: 'it may have been carried out: no answer was recorded',
  loop_guard: 'too many blocks, or flows that start each other',
};

/** A code in words: "HTTP 503" for `status_503`. An unknown code is shown as it is. */
export const sayReason = (reason: string): string =>
  words[reason] ??
  reason
    .replace(/^status_(?=\d{3}$)/, 'HTTP ')
    .replace(/^success_when_(\d{1,2})$/, 'rule $1 of success_when did not hold');
