import { showId } from '../../shared/ids.ts';
import type { TypingBeat } from '../../shared/typing/payloads.ts';
import { typingOfAccount } from '../../shared/typing/tell-typing.ts';
import { textOfTyping } from './write.ts';

/** How long a beat waits for others of its account, in ms: a stream hears of a conversation no more often. */
const everyMs = 200;

/**
 * Tells the streams of an account in which conversations contacts type. Nothing is kept: who goes on typing says so again, and pages forget by themselves.
 * `send` writes to the streams of an account.
 */
export const createTypingOfStreams = (send: (accountId: string, text: string) => void) => {
  const waiting = new Map<string, Map<string, boolean>>();
  let timer: NodeJS.Timeout | undefined;

  const tell = (): void => {
    timer = undefined;
    const all = [...waiting];
    waiting.clear();
    for (const [accountId, beats] of all)
      send(
        accountId,
        textOfTyping(
          Array.from(beats, ([conversationId, is_typing]) => ({
            id: showId('conversation', conversationId),
            is_typing,
          })),
        ),
      );
  };

  return {
    /** Takes a beat of an account that has streams. Beyond the bound of the account it is dropped. */
    hear: ({ accountId, conversationId, isTyping }: TypingBeat): void => {
      const beats = waiting.get(accountId) ?? new Map<string, boolean>();
      if (beats.size >= typingOfAccount && !beats.has(conversationId)) return;
      waiting.set(accountId, beats.set(conversationId, isTyping));
      timer ??= setTimeout(tell, everyMs);
    },
    clear: (): void => {
      clearTimeout(timer);
      timer = undefined;
      waiting.clear();
    },
  };
};
