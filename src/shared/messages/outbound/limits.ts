import type { Problem } from '../../errors.ts';
import type { ChannelLimits } from '../../flows/blocks/message-limits.ts';

/** Where a message has more than channels of a kind take; `path` is as in `NewMessage`. */
export const findExcess = (
  limits: ChannelLimits,
  {
    text,
    quickReplies,
    attachments,
  }: { text: string; quickReplies: readonly string[]; attachments: readonly unknown[] },
): Problem[] => {
  const tooBig = (path: string, message: string): Problem => ({ path, message, code: 'too_big' });
  const ofText = `must have at most ${limits.text} characters on this channel`;
  const ofReplies = `must have at most ${limits.quickReplies} items on this channel`;
  const ofReply = `must have at most ${limits.quickReply} characters on this channel`;
  const ofAttachments =
    limits.attachments === 0
      ? 'cannot be sent on this channel'
      : `must have at most ${limits.attachments} items on this channel`;
  return [
    ...(text.length > limits.text ? [tooBig('text', ofText)] : []),
    ...(quickReplies.length > limits.quickReplies ? [tooBig('quick_replies', ofReplies)] : []),
    ...(attachments.length > limits.attachments ? [tooBig('attachments', ofAttachments)] : []),
    ...quickReplies.flatMap((reply, index) =>
      reply.length > limits.quickReply ? [tooBig(`quick_replies.${index}`, ofReply)] : [],
    ),
  ];
};
