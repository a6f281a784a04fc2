import { hueOf, initialsOf } from './initials.ts';

type Props = {
  /** Whose it is: contacts and users keep their colour. */
  id: string;
  /** A name or an e-mail address; undefined while it is not known. */
  name: string | undefined;
  /** In px. */
  size?: number;
};

/** The initials of a contact or user on a colour of their own, beside the name. A plain element: lists have hundreds. What is copied does not have them. */
export const Avatar = ({ id, name, size = 24 }: Props) => (
  <span
    className="avatar"
    data-hue={hueOf(id)}
    data-initials={name === undefined ? '' : initialsOf(name)}
    style={{ '--size': `${size}px` }}
    aria-hidden
  />
);
