/** The most characters of a name in a mail. */
const mostCharacters = 60;

/**
 * A name that a user chose, as a mail of ours may carry it: at most 60 characters on one line, in which no mail program sees a link, and no character
 * that is invisible or turns the direction of text. Whoever names an account could have our mail server send their words to strangers.
 */
export const nameInMail = (name: string): string => {
  const plain = name
    .replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]+/gu, ' ')
    .replace(/[:/\\@<>"]+/g, ' ')
    .replace(/(?<=\S)[.。．｡](?=\S)/gu, '$&\u0020')
    .replace(/ +/g, ' ')
    .trim();
  const characters = Array.from(plain);
  return characters.length <= mostCharacters ? plain : `${characters.slice(0, mostCharacters - 1).join('')}…`;
};
