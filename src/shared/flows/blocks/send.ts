import { z } from 'zod';
import type { Block } from './block.ts';
import { findExcessOnChannels } from './channel-limits.ts';
import { messageLimits } from './message-limits.ts';
import { composeMessages, templatesOf } from './messages.ts';
import { blockSchema, text } from './schemas.ts';
import { scopeOf } from './scope.ts';

const message = z.strictObject({
  text: text.meta({ description: 'Up to 5,000 characters, with placeholders.' }),
  image_url: z.string().min(1).max(2_048).optional().meta({ description: 'An http or https url, with placeholders.' }),
  quick_replies: z
    .array(z.string().min(1).max(500))
    .max(messageLimits.quickReplies)
    .optional()
    .meta({
      description: `Answers to choose from, with placeholders; ${messageLimits.quickReply} characters are shown.`,
    }),
});

const schema = blockSchema(
  'send',
  { messages: z.array(message).min(1).max(10).meta({ description: 'Sent in this order.' }) },
  ['default', 'failed'],
);

export const send: Block<z.output<typeof schema>> = {
  type: 'send',
  summary: 'Sends messages to the contact, and goes on at once.',
  schema,
  speaks: true,
  ports: () => [
    { name: 'default', omitted: 'following' },
    { name: 'failed', omitted: 'fails' },
  ],
  templates: ({ messages }) => templatesOf(messages, 'messages'),
  check: ({ messages }, known) =>
    findExcessOnChannels(
      messages.map(({ text: template, quick_replies: templates = [] }, index) => ({
        text: { path: `messages.${index}.text`, template },
        quickReplies: { path: `messages.${index}.quick_replies`, templates },
      })),
      known,
    ),
  enter: ({ messages: templates }, context) => {
    const composed = composeMessages(templates, scopeOf(context));
    if (!composed.ok) return { type: 'go', port: 'failed', reason: composed.reason };
    return { type: 'go', port: 'default', effects: [{ type: 'send', messages: composed.messages }] };
  },
};
