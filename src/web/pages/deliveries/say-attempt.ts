import { exchangeFailures } from '../../../shared/platform/egress/exchange-failures.ts';
import type { Schemas } from '../../api/client.ts';
import { deliveryWords } from '../../words/deliveries.ts';
import { words } from './words.ts';

type Attempt = Schemas['Attempt'];

/** What an answer of this status usually means, by the first that holds; undefined where it says enough by itself. */
const meaningOf = (status: number) => {
  if (status > 200 && status < 300) return 'notExactly';
  if (status >= 300 && status < 400) return 'redirect';
  if (status === 401 || status === 403) return 'auth';
  if (status === 404 || status === 410) return 'missing';
  if (status === 405) return 'method';
  if (status === 413) return 'large';
  if (status === 429) return 'busy';
  return status >= 500 ? 'server' : undefined;
};

/** What an attempt came to, and what to do about it, in words. */
export const sayOutcome = ({ outcome, reason, detail, status_code }: Attempt): string => {
  if (status_code !== null) {
    const answered = words.answered(status_code);
    const meaning = outcome === 'failed' ? meaningOf(status_code) : undefined;
    return meaning === undefined ? answered : `${answered} ${words.answeredLike[meaning]}`;
  }
  const known = exchangeFailures.find((failure) => failure === reason);
  const meaning = known ? words.reasons[known] : words.unknownReason(reason ?? '?');
  return detail ? deliveryWords.failure(deliveryWords.failures[detail]) : meaning;
};
