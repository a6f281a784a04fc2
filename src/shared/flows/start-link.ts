/** What a link can carry: letters, digits, `-` and `_`, as messengers have it. */
export const startPayload = /^[\w-]{1,64}$/;

/** The payloads that a trigger is for: one of these, or one that begins so. Any where there are none. */
type StartLink = { match: 'exact' | 'contains' | 'prefix' | null; words: readonly string[] | null };

/** The payload of the link by which a contact has come: its messenger writes `/start <payload>` in the contact's name. Undefined for any other text. */
export const readStartPayload = (text: string): string | undefined => {
  const [command, payload, ...more] = text.slice(0, 100).trim().split(' ');
  const isLink = command === '/start' && payload !== undefined && more.length === 0;
  return isLink && startPayload.test(payload) ? payload : undefined;
};

/** Letter case counts, as payloads are made by programs. */
export const matchesStartLink = (payload: string, { match, words }: StartLink): boolean =>
  words === null || words.some((word) => (match === 'prefix' ? payload.startsWith(word) : payload === word));

/** Whether a trigger gets every link that another one is for. */
export const coversStartLink = (wide: StartLink, { match, words }: StartLink): boolean =>
  wide.words === null ||
  (words !== null &&
    !(match === 'prefix' && wide.match !== 'prefix') &&
    words.every((word) => matchesStartLink(word, wide)));
