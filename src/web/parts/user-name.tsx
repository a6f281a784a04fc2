import { Avatar } from './avatar.tsx';

/** A user of the account by name, with the avatar. `name` is what `sayUser` answers. */
export const UserName = ({ id, name }: { id: string; name: string }) => (
  <span className="with-mark">
    <Avatar id={id} name={name} />
    <span>{name}</span>
  </span>
);
