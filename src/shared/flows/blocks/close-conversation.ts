import type { z } from 'zod';
import type { Block } from './block.ts';
import { blockSchema } from './schemas.ts';

const schema = blockSchema('close_conversation', {}, ['default']);

export const closeConversation: Block<z.output<typeof schema>> = {
  type: 'close_conversation',
  summary:
    "Closes the contact's open conversation on the channel of the run, where there is one. What was written before is still sent; the next message opens another. A handover that is of it, or of no conversation, is resolved.",
  schema,
  ports: () => [{ name: 'default', omitted: 'following' }],
  enter: () => ({ type: 'go', port: 'default', effects: [{ type: 'close_conversation' }] }),
};
