import { locale } from '../locale.ts';

/** Somebody of the account. */
type Named = { name: string | null; email: string };

/** What colleagues call a user: of one who has no name yet what the e-mail address says of it, or else the address. */
export const nameOfUser = ({ name, email }: Named): string => name ?? (nameInAddress(email) || email);

/** `anna.berg@…` is Anna Berg. Empty where the address has more than letters: it names nobody then. */
const nameInAddress = (email: string): string => {
  const [mailbox = ''] = email.split(/[+@]/);
  const words = mailbox.split(/[._-]+/).filter((word) => word !== '');
  if (words.length > 3 || !words.every((word) => /^\p{L}+$/u.test(word))) return '';
  return words.map((word) => word.replace(/^\p{L}/u, (letter) => letter.toLocaleUpperCase(locale))).join(' ');
};
