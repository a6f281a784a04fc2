import { z } from 'zod';
import type { ChannelDeclaration } from '../../../src/shared/messages/channels/declaration.ts';
import { endpointUrl } from '../../../src/shared/signing/endpoint-url.ts';

/** A service that carries short messages, as the product has none: what its kind of channel needs is what any needs. */
export const carrierDeclaration = {
  summary: 'messages go over the carrier',
  config: z.object({
    carrier_url: endpointUrl.meta({ description: 'Where the carrier is.' }),
    token: z.string().min(1).max(100).meta({ description: 'The token of its account.', writeOnly: true }),
    signature: z.string().max(20).optional().meta({ description: 'What stands below each message.' }),
  }),
  limits: { text: 160, quickReply: 20, quickReplies: 3, attachments: 0 },
} satisfies ChannelDeclaration;
