import { fromString, fromUUID, toUUID, typeid } from 'typeid-js';

/**
 * Every row has a UUIDv7 key; outside (API, workflow ids, logs) it is shown as a TypeID, `<prefix>_<base32>`, so that an
 * id says what it names and sorts by the time it was made.
 */
const prefixes = {
  account: 'acc',
  user: 'usr',
  session: 'ses',
  apiKey: 'key',
  webhook: 'wh',
  contact: 'con',
  tag: 'tag',
  field: 'fld',
  channel: 'chn',
  conversation: 'cnv',
  note: 'note',
  message: 'msg',
  order: 'ord',
  sending: 'snd',
  event: 'evt',
  delivery: 'dlv',
  mail: 'mail',
  replay: 'rpl',
  flow: 'flow',
  run: 'run',
  process: 'prc',
  credential: 'cred',
  request: 'req',
} as const;

export type Noun = keyof typeof prefixes;

/** A new UUIDv7 in its canonical text form. */
export const newUuid = (): string => typeid().toUUID();

/** The TypeID that stands for `uuid` outside the service. */
export const showId = (noun: Noun, uuid: string): string => fromUUID(uuid, prefixes[noun]);

/** An id of this noun for documents. */
export const exampleId = (noun: Noun): string => `${prefixes[noun]}_01jd6z3qf5e8pb2zv0w8c4x1kn`;

/** The UUID behind a TypeID of this noun, or undefined when the text is not one. */
export const parseId = (noun: Noun, text: string): string | undefined => {
  try {
    return toUUID(fromString(text, prefixes[noun]));
  } catch {
    return undefined;
  }
};

/** As `parseId`, for ids that we made ourselves: anything else is our own bug and throws. */
export const readId = (noun: Noun, text: string): string => {
  const uuid = parseId(noun, text);
  if (uuid === undefined) throw new TypeError(`not a ${noun} id: ${text}`);
  return uuid;
};
