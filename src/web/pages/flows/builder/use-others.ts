import { useMemo } from 'react';
import { usePresence } from '../../../live/presence.ts';
import { useUsers } from '../../../parts/use-users.ts';

/** Who else has a flow open, and the block that they edit. Says that this page edits `part`; who that is, stands beside the title. */
export const useOthers = (flowId: string, part: string | null): readonly { user: string; part: string | null }[] => {
  const present = usePresence(flowId, part);
  const { sayUser } = useUsers();
  return useMemo(() => present.map((one) => ({ user: sayUser(one.userId), part: one.part })), [present, sayUser]);
};
