import { useMemo } from 'react';
import { usePresence } from '../../../live/presence.ts';
import { useUsers } from '../../../parts/use-users.ts';

/** What others can be told of: the start is no block, and a half-finished draft may have ids that are none. */
const isTold = (part: string | null): boolean => part !== null && /^[A-Za-z0-9_.-]{1,64}$/.test(part);

/** Who else has a flow open, and the block that they edit. Says that this page edits `part`; who that is, stands beside the title. */
export const useOthers = (flowId: string, part: string | null): readonly { user: string; part: string | null }[] => {
  const present = usePresence(flowId, isTold(part) ? part : null);
  const { sayUser } = useUsers();
  return useMemo(() => present.map((one) => ({ user: sayUser(one.userId), part: one.part })), [present, sayUser]);
};
