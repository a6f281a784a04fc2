import { expect, onTestFinished, test, vi } from 'vitest';
import { createTypingOfStreams } from '../../../src/api/stream/typing-of-streams.ts';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { typingOfAccount } from '../../../src/shared/typing/tell-typing.ts';

test('streams of an account hear of 200 conversations at a time, and another account is not kept waiting', async () => {
  const sent: { accountId: string; text: string }[] = [];
  const typing = createTypingOfStreams((accountId, text) => void sent.push({ accountId, text }));
  onTestFinished(typing.clear);
  const [loud, other] = [newUuid(), newUuid()];
  const beats = Array.from({ length: 10_000 }, () => ({ accountId: loud, conversationId: newUuid(), isTyping: true }));
  for (const beat of beats) typing.hear(beat);
  const last = { accountId: other, conversationId: newUuid(), isTyping: true };
  typing.hear(last);
  await vi.waitUntil(() => sent.length === 2, { timeout: 30_000 });
  const told = (accountId: string) => sent.find((one) => one.accountId === accountId)?.text.match(/cnv_\w+/g);
  expect(told(loud)).toEqual(
    beats.slice(0, typingOfAccount).map(({ conversationId }) => showId('conversation', conversationId)),
  );
  expect(told(other)).toEqual([showId('conversation', last.conversationId)]);
});
