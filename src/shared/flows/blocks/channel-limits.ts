import type { BlockProblem, Known } from './block.ts';
import { messageLimits } from './message-limits.ts';

/** Texts of one message, and where they stand. */
type Written = {
  text: { path: string; template: string };
  quickReplies: { path: string; templates: readonly string[] };
};

/**
 * Warns of messages that channels of the account do not take, for each of their types. It leaves out texts with placeholders, whose length nobody
 * knows before they are sent, and quick replies, which are cut to what every channel takes.
 */
export const findExcessOnChannels = (messages: readonly Written[], { channels }: Known): BlockProblem[] =>
  channels.flatMap(({ type, ...limits }) => {
    const exceeds = (template: string, most: number): boolean => template.length > most && !template.includes('{{');
    const warn = (path: string, what: string): BlockProblem => ({
      code: 'over_channel_limit',
      severity: 'warning',
      path,
      message: `has more than ${what}, so the message fails on channels of type ${type}`,
    });
    return messages.flatMap(({ text, quickReplies: { path, templates } }) => [
      ...(exceeds(text.template, limits.text) ? [warn(text.path, `${limits.text} characters`)] : []),
      ...(templates.length > limits.quickReplies ? [warn(path, `${limits.quickReplies} quick replies`)] : []),
      ...templates.flatMap((template, index) =>
        exceeds(template.slice(0, messageLimits.quickReply), limits.quickReply)
          ? [warn(`${path}.${index}`, `${limits.quickReply} characters`)]
          : [],
      ),
    ]);
  });
