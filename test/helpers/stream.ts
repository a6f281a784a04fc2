import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { vi } from 'vitest';
import { sessionCookieName } from '../../src/api/session-cookie.ts';
import type { Topic } from '../../src/shared/facts/topics.ts';
import type { ConversationHint, Hint, TypingHint } from '../../src/shared/hints/schema.ts';
import type { TestApi } from './api.ts';

/** A stream of hints, as a browser reads it. */
export type TestStream = {
  answer: IncomingMessage;
  /** The hints so far, in order. */
  hints: Hint[];
  /** What it was told of conversations, in order. */
  talks: ConversationHint[];
  /** What it was told of contacts who type, in order. */
  typing: TypingHint[];
  /** All bytes so far. */
  text: () => string;
  /** Resolves when the topic is told. What was told before the call counts, unless `clear` was called since. */
  untilHint: (topic: Topic) => Promise<void>;
  /** Forgets the hints so far. */
  clear: () => void;
  /** Resolves when the server has ended it. */
  ended: Promise<void>;
  close: () => void;
};

/** Opens `GET /dashboard/api/stream`. Its body is read only where the status is 200. */
export const openStream = async (
  { url, deps }: Pick<TestApi, 'url' | 'deps'>,
  session: string,
  method = 'GET',
): Promise<TestStream> => {
  const asked = request(`${url}/dashboard/api/stream`, {
    method,
    agent: false,
    headers: {
      cookie: `${sessionCookieName(deps.config)}=${session}`,
      accept: 'text/event-stream',
      // As a browser asks.
      connection: 'keep-alive',
    },
  });
  asked.end();
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (!answer) throw new Error('no answer');
  let text = '';
  const hints: Hint[] = [];
  const talks: ConversationHint[] = [];
  const typing: TypingHint[] = [];
  let unread = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const events = (unread + chunk).split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      const [, name, data = ''] = /^(?:event: (\w+)\n)?data: (.*)$/.exec(event) ?? [];
      if (data !== '' && name === undefined) hints.push(JSON.parse(data));
      if (name === 'conversation') talks.push(JSON.parse(data));
      if (name === 'typing') typing.push(JSON.parse(data));
    }
  });
  answer.on('error', () => {});
  const ended = new Promise<void>((resolve) => answer.once('close', resolve));
  return {
    answer,
    hints,
    talks,
    typing,
    text: () => text,
    untilHint: async (topic) => {
      await vi.waitUntil(() => hints.some((hint) => hint.topic === topic), { timeout: 15_000, interval: 10 });
    },
    clear: () => void hints.splice(0),
    ended,
    close: () => asked.destroy(),
  };
};

/** Whether the promise is fulfilled within so many ms. */
export const within = async (ms: number, promise: Promise<unknown>): Promise<boolean> => {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const isInTime = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
};
