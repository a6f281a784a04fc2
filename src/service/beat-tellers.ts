import type { Sql } from '../shared/platform/db/connect.ts';
import type { Logger } from '../shared/platform/log.ts';
import { createPresenceTeller } from '../shared/presence/tell-presence.ts';
import { createTypingTeller } from '../shared/typing/tell-typing.ts';

/** The tellers of what is true for seconds alone. `processId` is this process, a UUID. */
export const createBeatTellers = (deps: { sql: Sql; processId: string; log: Logger }) => {
  const presenceTeller = createPresenceTeller(deps);
  const typingTeller = createTypingTeller(deps);
  return {
    presenceTeller,
    typingTeller,
    stop: async (): Promise<void> => void (await Promise.all([presenceTeller.stop(), typingTeller.stop()])),
  };
};
