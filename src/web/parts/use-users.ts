import { useSignedIn } from '../shell/session-context.ts';
import { useList } from './use-list.ts';

/** The users of the account, of whom there are few. */
export const useUsers = (): {
  users: readonly { id: string; email: string }[];
  /** Whom an id names: an e-mail address, or the id while it is not known. */
  sayUser: (id: string) => string;
} => {
  const { user } = useSignedIn();
  const { rows = [] } = useList('/users', { limit: 200 });
  const emails = new Map([[user.id, user.email], ...rows.map(({ id, email }) => [id, email] as const)]);
  return { users: rows, sayUser: (id) => emails.get(id) ?? id };
};
