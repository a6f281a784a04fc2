import { fromString, fromUUID, toUUID, typeid } from 'typeid-js';

/**
 * Every row has a UUIDv7 key; outside (API, workflow ids, logs) it is shown as a TypeID, `<prefix>_<base32>`, so that an
 * id says what it names and sorts by the time it was made.
 */
const prefixes = {
  account: 'acc',
  user: 'usr',
  invitation: 'inv',
  session: 'ses',
  apiKey: 'key',
  webhook: 'wh',
  contact: 'con',
  tag: 'tag',
  field: 'fld',
  channel: 'chn',
  conversation: 'cnv',
  message: 'msg',
  order: 'ord',
  handover: 'hnd',
  sending: 'snd',
  event: 'evt',
  delivery: 'dlv',
  mail: 'mail',
  replay: 'rpl',
  retry: 'rty',
  flow: 'flow',
  run: 'run',
  process: 'prc',
  credential: 'cred',
  request: 'req',
} as const;

/** What an id names: a noun that several folders name, and so is listed above, or one that its own folder declares. */
export type Noun = ListedNoun | OwnNoun;

export type ListedNoun = keyof typeof prefixes;

/** A noun that only its own folder names. No other noun has its prefix (`test/api/resources.test.ts`). */
type OwnNoun = { readonly name: string; readonly prefix: string };

/** The noun in words. */
export const nounName = (noun: Noun): string => (typeof noun === 'string' ? noun : noun.name);

const prefixOf = (noun: Noun): string => (typeof noun === 'string' ? prefixes[noun] : noun.prefix);

/** A new UUIDv7 in its canonical text form. */
export const newUuid = (): string => typeid().toUUID();

/** A new UUIDv7 that has only its time for itself: the rest is of `seed`, at least nine bytes of a hash. */
export const newUuidOf = (seed: Buffer): string => {
  const rest = seed.toString('hex');
  return `${newUuid().slice(0, 15)}${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
};

/** Whether two ids are of one seed: see `newUuidOf`. Others never are. */
export const haveOneSeed = (one: string, other: string): boolean => one.slice(14) === other.slice(14);

/** The TypeID that stands for `uuid` outside the service. */
export const showId = (noun: Noun, uuid: string): string => fromUUID(uuid, prefixOf(noun));

/** An id of this noun for documents. */
export const exampleId = (noun: Noun): string => `${prefixOf(noun)}_01jd6z3qf5e8pb2zv0w8c4x1kn`;

/** The UUID behind a TypeID of this noun, or undefined when the text is not one. */
export const parseId = (noun: Noun, text: string): string | undefined => {
  try {
    return toUUID(fromString(text, prefixOf(noun)));
  } catch {
    return undefined;
  }
};

/** As `parseId`, for ids that we made ourselves: anything else is our own bug and throws. */
export const readId = (noun: Noun, text: string): string => {
  const uuid = parseId(noun, text);
  if (uuid === undefined) throw new TypeError(`not a ${nounName(noun)} id: ${text}`);
  return uuid;
};
