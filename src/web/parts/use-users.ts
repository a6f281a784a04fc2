import { useMemo } from 'react';
import { useSignedIn } from '../shell/session-context.ts';
import { nameOfUser } from './name-of-user.ts';
import { useList } from './use-list.ts';
import type { KnownUser } from './user-name.tsx';

/** The users of the account, of whom there are few. */
export const useUsers = (): {
  users: readonly { id: string; name: string | null; email: string }[];
  /** Whom an id names. */
  findUser: (id: string) => KnownUser;
  /** The same by name; the id while that is not known. */
  sayUser: (id: string) => string;
} => {
  const { user } = useSignedIn();
  const { rows } = useList('/users', { limit: 200 });
  return useMemo(() => {
    const users = rows ?? [];
    const known = new Map([user, ...users].map((one) => [one.id, one]));
    return {
      users,
      findUser: (id) => known.get(id) ?? { id, name: null },
      sayUser: (id) => {
        const one = known.get(id);
        return one ? nameOfUser(one) : id;
      },
    };
  }, [rows, user]);
};
