import { useEffect, useSyncExternalStore } from 'react';
import { client, type Schemas } from './client.ts';
import { queryClient, retry } from './query-client.ts';

type Contact = Schemas['Contact'];

/** How long a contact is shown without asking again, in ms. Names hardly change, and lists show many. */
const freshMs = 300_000;

/** As many as the API finds at once. */
const atMost = 100;

/** More than lists show. Beyond them the one that was asked for first is forgotten. */
const keptAtMost = 5_000;

/** By id. `contact` is undefined until the API has answered, and for an id that it does not know. */
const known = new Map<string, { contact: Contact | undefined; askedMs: number }>();
let wanted = new Set<string>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * The contact of this id as far as it is known. The rows of a list want theirs at the same time: they are asked for in one request. A query for each of
 * hundreds would take a list longer than all else in its rows.
 */
export const useContact = (id: string): Contact | undefined => {
  const contact = useSyncExternalStore(subscribe, () => known.get(id)?.contact);
  useEffect(() => {
    if (Date.now() - (known.get(id)?.askedMs ?? 0) > freshMs) askForContact(id);
  }, [id]);
  return contact;
};

/** A contact as it was read last, and when that was, in ms since 1970; undefined for one that is not known. */
export const findContact = (id: string): { contact: Contact; readMs: number } | undefined => {
  const found = known.get(id);
  return found?.contact && { contact: found.contact, readMs: found.askedMs };
};

/** Asks for a contact, also for one that is known: it may have changed. */
export const askForContact = (id: string): void => {
  if (wanted.size === 0) setTimeout(askForWanted, 0);
  wanted.add(id);
  keep(id, known.get(id)?.contact);
};

/** What a session has been told is nothing for the next one. */
export const forgetContacts = (): void => known.clear();

const keep = (id: string, contact: Contact | undefined): void => {
  known.delete(id);
  known.set(id, { contact, askedMs: Date.now() });
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size > keptAtMost) known.delete(oldest);
};

const askForWanted = (): void => {
  const ids = [...wanted];
  wanted = new Set();
  for (let from = 0; from < ids.length; from += atMost) void find(ids.slice(from, from + atMost));
};

const find = async (ids: readonly string[]): Promise<void> => {
  const query = { id: [...ids], limit: atMost };
  try {
    const { data } = await queryClient.fetchQuery({
      queryKey: ['contact-names', ids],
      queryFn: async ({ signal }) => client.GET('/contacts', { params: { query }, signal }),
      retry,
      gcTime: 0,
    });
    for (const contact of data?.data ?? []) keep(contact.id, contact);
    for (const tell of listeners) tell();
  } catch {
    // Their ids are shown, and the next list that has them asks again.
    for (const id of ids) known.delete(id);
  }
};
