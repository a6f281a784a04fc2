import { z } from 'zod';
import { messageLimits } from '../../../flows/blocks/message-limits.ts';
import { endpointUrl } from '../../../signing/endpoint-url.ts';
import type { ChannelDeclaration } from '../declaration.ts';

/** A channel of the account's own: its server hands in what contacts write, and gets what is sent to them. */
export const apiDeclaration = {
  summary: 'messages come in over POST /v1/channels/{id}/inbound, and go out to `callback_url`',
  config: z
    .object({
      callback_url: endpointUrl.nullable().meta({
        description:
          'HTTPS address that gets the messages to contacts, as signed POSTs; publicly reachable. Without one a message counts as sent at once.',
      }),
      /** Used exactly as it is given: nothing is trimmed. */
      secret: z.string().min(1).max(512).meta({
        description: 'Signs what goes to `callback_url`; never returned. One is made when none is given.',
        writeOnly: true,
      }),
    })
    .partial(),
  limits: messageLimits,
} satisfies ChannelDeclaration;
