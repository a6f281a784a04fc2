import { useMemo } from 'react';
import { useSignedIn } from '../shell/session-context.ts';
import { nameOfUser } from './name-of-user.ts';
import { useList } from './use-list.ts';

/** The users of the account, of whom there are few. */
export const useUsers = (): {
  users: readonly { id: string; name: string | null; email: string }[];
  /** Whom an id names; the id while that is not known. */
  sayUser: (id: string) => string;
} => {
  const { user } = useSignedIn();
  const { rows } = useList('/users', { limit: 200 });
  return useMemo(() => {
    const users = rows ?? [];
    const names = new Map([user, ...users].map((one) => [one.id, nameOfUser(one)]));
    return { users, sayUser: (id) => names.get(id) ?? id };
  }, [rows, user]);
};
