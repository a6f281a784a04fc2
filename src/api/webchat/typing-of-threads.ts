import { parseId } from '../../shared/ids.ts';
import type { Typing } from '../../shared/messages/webchat/typing.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import type { Beat } from '../../shared/presence/register.ts';
import { findTyping } from './look-after-streams.ts';
import type { VisitorStream } from './visitor-stream.ts';

/** An agent who has sent no beat for this long types no more, in ms. A tab repeats it every ten seconds. */
const agentForgottenMs = 15_000;

/** The most tabs of agents that are kept for a conversation. */
const tabsOfConversation = 10;

/** So long after a stream has begun or shown something flows may begin to write there, in ms. */
const activeMs = 120_000;

/** The part of a conversation that an agent who writes to the contact is at. A note is none. */
const reply = 'reply';

type Options = {
  sql: Sql;
  streams: () => Iterable<VisitorStream>;
  tell: (stream: VisitorStream, typing: Typing) => void;
  now: () => number;
};

export type TypingOfThreads = ReturnType<typeof createTypingOfThreads>;

/** Tells visitors' streams whether an agent or a flow is about to write. Of agents it keeps those alone in conversations that streams show. */
export const createTypingOfThreads = ({ sql, streams, tell, now }: Options) => {
  const agents = new Map<string, Map<string, number>>();
  const isAgentTyping = (conversationId: string): boolean => agents.has(conversationId);
  const showing = (conversationId: string): VisitorStream[] =>
    [...streams()].filter((stream) => stream.conversationId === conversationId);

  const set = (stream: VisitorStream, changes: Partial<Typing>): void => {
    const before = stream.typing;
    const typing = { bot: false, agent: false, ...before, ...changes };
    if (before?.bot === typing.bot && before.agent === typing.agent) return;
    stream.typing = typing;
    tell(stream, typing);
  };

  const drop = (conversationId: string): void => {
    if (!agents.delete(conversationId)) return;
    for (const stream of showing(conversationId)) set(stream, { agent: false });
  };

  const forget = (): void => {
    for (const [conversationId, tabs] of agents) {
      for (const [tab, seenMs] of tabs) if (seenMs <= now() - agentForgottenMs) tabs.delete(tab);
      if (tabs.size === 0) drop(conversationId);
    }
  };

  return {
    isAgentTyping,
    /** Takes what a tab of an agent says. */
    hear: ({ subject, sessionId, tab, part, hasLeft }: Beat): void => {
      const conversationId = parseId('conversation', subject);
      if (conversationId === undefined) return;
      const tabs = agents.get(conversationId);
      const key = `${sessionId} ${tab}`;
      if (part !== reply || hasLeft) {
        if (tabs?.delete(key) && tabs.size === 0) drop(conversationId);
        return;
      }
      if (tabs && (tabs.has(key) || tabs.size < tabsOfConversation)) return void tabs.set(key, now());
      const shown = tabs ? [] : showing(conversationId);
      if (shown.length === 0) return;
      agents.set(conversationId, new Map([[key, now()]]));
      for (const stream of shown) set(stream, { agent: true });
    },
    /** An agent has answered: whoever goes on typing says so again. */
    noteAnswer: (conversationId: string): void => void agents.delete(conversationId),
    /** Tells what has changed without a change of the conversation. A stream that has just begun hears it in any case. */
    look: async (): Promise<void> => {
      forget();
      const asked = [...streams()].filter(
        ({ of, hasBegun, typing, activeMs: at }) => of && hasBegun && (typing?.bot !== false || now() - at < activeMs),
      );
      const before = new Map(asked.map((stream) => [stream, stream.typing]));
      const typing = await findTyping(sql, asked);
      for (const stream of asked)
        if (stream.typing === before.get(stream)) {
          const agent = stream.conversationId !== undefined && isAgentTyping(stream.conversationId);
          set(stream, { bot: typing.has(stream), agent });
        }
    },
    clear: (): void => agents.clear(),
  };
};
