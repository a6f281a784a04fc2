import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, vi } from 'vitest';
import type { ShownThread } from '../../../src/shared/messages/webchat/show-thread.ts';
import type { Typing } from '../../../src/shared/messages/webchat/typing.ts';
import type { TestApi } from '../api.ts';
import { site, type TestVisitor, type TestWebchat } from './visitor.ts';

type Streamed = { event: string; body: ShownThread };

/** A stream of a visitor, as the widget reads it. */
export type TestVisitorStream = {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  events: Streamed[];
  /** The bodies of events `changes`. */
  changes: () => ShownThread[];
  /** All bytes so far. */
  text: () => string;
  /** Resolves when an event came that is so. */
  until: (isIt: (streamed: Streamed) => boolean) => Promise<Streamed>;
  untilText: (text: string) => Promise<void>;
  /** Resolves when the server has ended it. */
  ended: Promise<void>;
  close: () => void;
  /** Reads no further, and later on. */
  pause: () => void;
};

/** Opens the stream of a visitor, whose other tabs have theirs. */
export const openVisitorStream = async (
  { url }: Pick<TestApi, 'url'>,
  { id }: Pick<TestWebchat, 'id'>,
  { token }: Pick<TestVisitor, 'token'>,
  { query = '', origin = site, address }: { query?: string; origin?: string; address?: string | undefined } = {},
): Promise<TestVisitorStream> => {
  const headers = {
    origin,
    ...(token !== undefined && { 'x-visitor-token': token }),
    ...(address !== undefined && { 'x-forwarded-for': address }),
  };
  const asked = request(`${url}/webchat/${id}/stream${query}`, { agent: false, headers });
  asked.end();
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (!answer) throw new Error('no answer');
  let text = '';
  let unread = '';
  const events: Streamed[] = [];
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const parts = (unread + chunk).split('\n\n');
    unread = parts.pop() ?? '';
    for (const part of parts) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
      if (event !== undefined && data !== undefined) events.push({ event, body: JSON.parse(data) });
    }
  });
  answer.on('error', () => {});
  const ended = new Promise<void>((resolve) => answer.once('close', resolve));
  const wait = { timeout: 15_000, interval: 10 };
  return {
    status: answer.statusCode,
    headers: answer.headers,
    events,
    changes: () => events.flatMap(({ event, body }) => (event === 'changes' ? body : [])),
    text: () => text,
    until: (isIt) => vi.waitUntil(() => events.find(isIt), wait),
    untilText: async (wanted) => {
      await vi.waitUntil(
        () => events.some(({ body }) => body.messages?.some((message) => message.text === wanted)),
        wait,
      );
    },
    ended,
    close: () => asked.destroy(),
    pause: () => void answer.pause(),
  };
};

/** The stream of a visitor who has written; `untilTyping` resolves when it last said that these type. */
export const listenToTyping = async (api: TestApi, channel: TestWebchat, visitor: TestVisitor) => {
  const { revision } = await visitor.read();
  const stream = await openVisitorStream(api, channel, visitor, { query: `?after=${revision}` });
  const told = (): unknown => {
    const last = stream.events.findLast(({ event }) => event !== 'reset');
    return last?.event === 'changes' ? last.body.typing : last?.body;
  };
  const untilTyping = async (typing: Typing): Promise<void> => {
    await expect.poll(told, { timeout: 15_000, interval: 10 }).toEqual(typing);
  };
  return { ...stream, untilTyping };
};
