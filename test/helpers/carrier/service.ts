import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { startReceiver, type Answer, type ReceivedRequest, type Receiver } from '../receiver.ts';

/** The carrier: accounts by their tokens, and what it was asked. Answers of one path can be changed. */
export type CarrierService = {
  url: string;
  /** The account of each token; a token of no account is refused. */
  accounts: Map<string, string>;
  /** From now on a path is answered so. */
  answer: (path: string, answer: Answer | ((request: ReceivedRequest) => Answer | Promise<Answer>)) => void;
  /** What was asked, as `METHOD /path token`. */
  asked: () => string[];
  /** The bodies that were sent to a path. */
  bodies: (path: string) => Record<string, unknown>[];
};

/** Starts it, until the test is finished. */
export const startCarrier = async (): Promise<CarrierService> => {
  const accounts = new Map([['token-1', randomUUID()]]);
  const answers = new Map<string, Answer | ((request: ReceivedRequest) => Answer | Promise<Answer>)>();
  let sent = 0;
  const respond = (request: ReceivedRequest): Answer | Promise<Answer> => {
    const given = answers.get(request.path);
    if (given !== undefined) return typeof given === 'function' ? given(request) : given;
    const account = accounts.get(String(request.headers.authorization));
    if (account === undefined) return 401;
    sent += 1;
    const bodies: Record<string, object> = { '/me': { account }, '/send': { ref: `ref-${sent}` } };
    return { type: 'respond', status: 200, body: JSON.stringify(bodies[request.path] ?? {}) };
  };
  const receiver: Receiver = await startReceiver({ respond });
  onTestFinished(() => receiver.close());
  return {
    url: receiver.url('').replace(/\/$/, ''),
    accounts,
    answer: (path, answer) => void answers.set(path, answer),
    asked: () => receiver.requests.map(({ method, path, headers }) => `${method} ${path} ${headers.authorization}`),
    bodies: (path) =>
      receiver.requests.filter((request) => request.path === path).map(({ rawBody }) => JSON.parse(String(rawBody))),
  };
};
