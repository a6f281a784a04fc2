import { Avatar } from './avatar.tsx';
import { nameOfUser } from './name-of-user.ts';

/** Who is shown; the e-mail address is missing while only the id is known. */
export type KnownUser = { id: string; name: string | null; email?: string };

/** A user of the account by name, with the avatar. The e-mail address appears when somebody points at it. */
export const UserName = ({ user: { id, name, email } }: { user: KnownUser }) => {
  const called = email === undefined ? (name ?? id) : nameOfUser({ name, email });
  return (
    <span className="with-mark" title={email}>
      <Avatar id={id} name={called} />
      <span>{called}</span>
    </span>
  );
};
