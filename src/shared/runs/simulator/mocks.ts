import type { Egress } from '../../platform/egress/client.ts';
import type { Mock, MockAnswer } from './simulation.ts';

/**
 * The answers to the attempts of a visit, or of an item of `for_each`: both are counted on from 1. The last one answers all that follow. Undefined
 * where there is none.
 */
export const mockOfVisit = (mock: Mock | undefined, visit: number): readonly MockAnswer[] | undefined => {
  if (mock === undefined) return undefined;
  if (!isList(mock)) return [mock];
  const ofVisit = mock[visit - 1];
  if (ofVisit === undefined) return undefined;
  return isList(ofVisit) ? ofVisit : [ofVisit];
};

const isList = <Item>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);

/** A body that was copied from somewhere is as long as it is, and decoded. */
const headersOfBytes: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

/** Answers a request in the place of another service, which never hears of it. */
export const answerAs = (mock: MockAnswer): Pick<Egress, 'request'> => ({
  request: async ({ timeoutMs }) => {
    if ('timeout' in mock) {
      const message = 'no answer in time, as the mock says';
      return { type: 'failed', reason: 'timeout', message, requestSent: true, durationMs: timeoutMs };
    }
    if ('fails' in mock) {
      const message = 'no connection, as the mock says';
      return { type: 'failed', reason: mock.fails, message, requestSent: mock.fails === 'reset', durationMs: 0 };
    }
    const { status, headers = {}, body = '' } = mock;
    const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const isText = typeof body === 'string';
    const all = Object.fromEntries([
      ...(isText ? [] : [['content-type', 'application/json'] as const]),
      ...given.filter(([name]) => !headersOfBytes.has(name)),
    ]);
    const bytes = new TextEncoder().encode(isText ? body : JSON.stringify(body));
    return { type: 'answered', status, headers: all, body: bytes, bodyTruncated: false, durationMs: 0 };
  },
});
