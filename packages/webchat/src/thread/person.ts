import { fieldsOf, numberOf, textOf } from '../reading.ts';
import type { Identity } from '../page-api.ts';
import type { Store } from '../store.ts';

/** Who the visitor of this browser is, and the token that says so to the server. */
export type Person = {
  token: () => string | null;
  setToken: (token: string) => void;
  /** Whether the stored token is this person's already, with the same name and address. */
  isKnownAs: (identity: Identity) => boolean;
  /** Whether the stored token is somebody's whom the site has named otherwise, or whom it names no more. */
  isAnother: (identity: Identity | null) => boolean;
  become: (identity: Identity, token: string) => void;
  /** Somebody comes by a link of a mail, whom the site has not named yet. */
  comeBack: (token: string) => void;
  forget: () => void;
};

/** A sum of what the site has said of a person, so that no address of theirs is stored. */
const sumOf = ({ external_id, name, email }: Identity): number => {
  let sum = 0;
  for (const unit of JSON.stringify([external_id, name, email]))
    sum = (Math.imul(sum, 31) + (unit.codePointAt(0) ?? 0)) | 0;
  return sum;
};

export const createPerson = (store: Store): Person => {
  const known = (): { externalId: string; sum: number } | undefined => {
    try {
      const given = fieldsOf(JSON.parse(store.get('person') ?? ''));
      return { externalId: textOf(given['external_id']), sum: numberOf(given['sum']) };
    } catch {
      return undefined;
    }
  };
  const forget = (): void => {
    store.remove('person');
    store.remove('token');
  };
  return {
    forget,
    token: () => store.get('token'),
    setToken: (token) => store.set('token', token),
    isKnownAs: (identity) =>
      store.get('token') !== null && known()?.externalId === identity.external_id && known()?.sum === sumOf(identity),
    isAnother: (identity) => {
      const before = known();
      if (!before || !identity) return before !== undefined;
      return before.externalId !== '' && before.externalId !== identity.external_id;
    },
    become: (identity, token) => {
      store.set('person', JSON.stringify({ external_id: identity.external_id, sum: sumOf(identity) }));
      store.set('token', token);
    },
    comeBack: (token) => {
      store.set('person', '{}');
      store.set('token', token);
    },
  };
};
