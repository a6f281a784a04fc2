import type { Cursor } from '../thread/thread.ts';
import type { Client } from './client.ts';
import { readEvents } from './event-stream.ts';
import { readChanges } from './wire.ts';

/** An event of the stream: what follows a cursor, who types, or that all is to be read again. */
export type Pushed =
  | { kind: 'changes'; from: Cursor; body: unknown }
  | { kind: 'typing'; body: unknown }
  | { kind: 'reset' };

export type StreamOptions = {
  client: Client;
  token: string;
  from: Cursor;
  signal: AbortSignal;
  push: (pushed: Pushed) => void;
  /** Is called with each sign of life, the heartbeat among them. */
  alive: () => void;
};

/** The server says something every 20 s. */
const silenceMs = 40_000;

export const queryOf = ({ conversation, after }: Cursor): string =>
  `after=${after}${conversation === null ? '' : `&conversation=${encodeURIComponent(conversation)}`}`;

/** Follows the stream until it ends, breaks off, says nothing for 40 s, or asks to read again. */
export const followStream = async ({
  client,
  token,
  from,
  signal,
  push,
  alive,
}: StreamOptions): Promise<'ended' | 'reset'> => {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  let watch = setTimeout(end, silenceMs);
  const sign = (): void => {
    clearTimeout(watch);
    watch = setTimeout(end, silenceMs);
    alive();
  };
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  let cursor = from;
  let wasReset = false;
  try {
    const answer = await client.open(`stream?${queryOf(from)}`, { token, signal: ended.signal });
    sign();
    if (!answer.body) return 'ended';
    await readEvents(answer.body, {
      alive: sign,
      take: ({ event, data }) => {
        if (ended.signal.aborted) return;
        const body: unknown = JSON.parse(data);
        if (event === 'changes') {
          push({ kind: 'changes', from: cursor, body });
          const { conversation, revision } = readChanges(body);
          cursor = { conversation: conversation?.id ?? null, after: revision };
        } else if (event === 'typing') push({ kind: 'typing', body });
        else if (event === 'reset') {
          wasReset = true;
          push({ kind: 'reset' });
          end();
        }
      },
    });
  } catch (error) {
    if (!wasReset) throw error;
  } finally {
    clearTimeout(watch);
    signal.removeEventListener('abort', end);
    end();
  }
  return wasReset ? 'reset' : 'ended';
};
