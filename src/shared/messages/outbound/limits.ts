import type { Problem } from '../../errors.ts';
import type { ChannelLimits } from '../../flows/blocks/message-limits.ts';

/** Where a message has more than channels of a kind take; `path` is as in `NewMessage`. */
export const findExcess = (
  limits: ChannelLimits,
  { text, quickReplies }: { text: string; quickReplies: readonly string[] },
): Problem[] => {
  const tooBig = (path: string, message: string): Problem => ({ path, message, code: 'too_big' });
  const ofText = `must have at most ${limits.text} characters on this channel`;
  const ofReplies = `must have at most ${limits.quickReplies} items on this channel`;
  const ofReply = `must have at most ${limits.quickReply} characters on this channel`;
  return [
    ...(text.length > limits.text ? [tooBig('text', ofText)] : []),
    ...(quickReplies.length > limits.quickReplies ? [tooBig('quick_replies', ofReplies)] : []),
    ...quickReplies.flatMap((reply, index) =>
      reply.length > limits.quickReply ? [tooBig(`quick_replies.${index}`, ofReply)] : [],
    ),
  ];
};
