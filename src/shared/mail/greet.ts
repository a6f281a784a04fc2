import { nameInMail } from './name-in-mail.ts';

/** The first line of a mail, by name where the reader has one. */
export const greet = (name: string | null): string => {
  const called = name === null ? '' : nameInMail(name);
  return called === '' ? 'Hello,' : `Hello ${called},`;
};
