import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readChanges, type Message } from '../../packages/webchat/src/live/wire.ts';
import { createThread } from '../../packages/webchat/src/thread/thread.ts';
import { write, type Bot } from '../helpers/telegram/bots.ts';
import { handIn } from '../helpers/telegram/webhooks.ts';
import { openWidget } from '../helpers/webchat/widget.ts';

/** Somebody who talks over a channel. Everything is repeated until it is accepted, as the channel does. */
export type Person = {
  /** Their id on the channel, where the channel gives them one. */
  externalId?: string;
  /** Resolves when the next message may be said. */
  say: (text: string) => Promise<void>;
  /** Whether all that was said is accepted. */
  isHeard: () => boolean;
  /** What they have been told so far, in order, by the channel's own means. */
  heard: () => Promise<string[]>;
  /** Their thread as each of their pages shows it, where the channel has pages. */
  pages: () => Promise<readonly (readonly Message[])[]>;
  close: () => void;
};

const againMs = 200;

const textsOfBusiness = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ isMine, text }) => (isMine ? [] : [text]));

/** A visitor who runs the widget in two tabs: these follow the stream, which one of them has. */
export const aWidget = async (service: { url: string }, channel: string): Promise<Person> => {
  const { tabs, pending, say, close } = await openWidget(service, { id: channel }, { tabs: 2 });
  return {
    // oxlint-disable-next-line typescript/require-await -- it goes into the outbox of the browser
    say: async (text) => say(text),
    isHeard: () => pending().length === 0,
    heard: async () => textsOfBusiness(tabs[0]?.appeared() ?? []),
    pages: async () => tabs.map(({ shown }) => shown()),
    close,
  };
};

const written = z.object({ visitor_token: z.string().optional() });

/** A visitor of a page of the site's own, which asks for what is new again and again. */
export const aReader = (service: { url: string }, channel: string, site: string): Person => {
  let token: string | undefined;
  let underWay = 0;
  const thread = createThread();
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const answer = await fetch(`${service.url}/webchat/${channel}${path}`, {
      ...init,
      headers: {
        origin: site,
        'content-type': 'application/json',
        ...(token !== undefined && { 'x-visitor-token': token }),
      },
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    return answer?.ok ? answer.json().catch(() => undefined) : undefined;
  };
  /** Takes what follows the last revision; answers whether that was all. */
  const readOn = async (): Promise<boolean> => {
    const { conversation, after } = thread.cursor;
    const body = await ask(conversation === null ? '/changes' : `/changes?after=${after}&conversation=${conversation}`);
    if (body === undefined) return true;
    const changes = readChanges(body);
    if (conversation === null) thread.replace(changes);
    else if (thread.take(changes, { conversation, after }) === 'other') {
      // A later conversation has begun.
      thread.clear();
      return false;
    }
    return !changes.hasMore;
  };
  const read = async (): Promise<Message[]> => {
    if (token !== undefined) while (!(await readOn()));
    return thread.messages();
  };
  return {
    say: async (text) => {
      const client_id = randomUUID();
      underWay += 1;
      for (;;) {
        const body = await ask('/messages', { method: 'POST', body: JSON.stringify({ client_id, text }) });
        if (body !== undefined) {
          token ??= written.parse(body).visitor_token;
          underWay -= 1;
          return;
        }
        await sleep(againMs);
      }
    },
    isHeard: () => underWay === 0,
    heard: async () => textsOfBusiness(await read()),
    pages: async () => [await read()],
    close: () => {},
  };
};

/** A user of Telegram, which hands in what they write; where the bot has no webhook it is asked for that. */
export const aUser = (bot: Bot, userId: number): Person => ({
  externalId: String(userId),
  say: async (text) => {
    const update = write(bot, userId, text);
    if (!bot.webhook) return;
    bot.pending = bot.pending.filter((one) => one.update_id !== update.update_id);
    while (!((await handIn(bot, update).catch(() => 503)) < 300)) await sleep(againMs);
  },
  isHeard: () => bot.pending.length === 0,
  heard: async () => bot.got.filter(({ chatId }) => chatId === userId).map(({ text }) => text),
  pages: async () => [],
  close: () => {},
});
