import type { ChannelKind } from '../kind.ts';
import { storeWebchatConfig } from './config.ts';
import { webchatDeclaration } from './declaration.ts';

/** Visitors come over routes of their own (`src/api/webchat/`), and fetch what is sent to them. */
export const webchatChannel: ChannelKind = {
  declaration: webchatDeclaration,
  store: storeWebchatConfig,
  repeatable: true,
  // What a process of the version before has queued is there for its visitor as well.
  send: async (_, { message }) =>
    message.senderExternalId === null
      ? { type: 'refused', permanent: true, reason: 'never_wrote', durationMs: 0 }
      : { type: 'sent', durationMs: 0 },
};
