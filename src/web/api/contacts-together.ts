import { client, type Schemas } from './client.ts';

type Contact = Schemas['Contact'];

type Wanted = { id: string; resolve: (contact: Contact | null) => void; reject: (reason: unknown) => void };

/** As many as the API finds at once. */
const atMost = 100;

let wanted: Wanted[] = [];

/** The contact of this id, or null. The rows of a list want theirs at the same time: they are asked for in one request. */
export const findContactTogether = async (id: string): Promise<Contact | null> =>
  new Promise((resolve, reject) => {
    wanted.push({ id, resolve, reject });
    if (wanted.length === 1) setTimeout(findWanted, 0);
  });

const findWanted = (): void => {
  const all = wanted;
  wanted = [];
  for (let from = 0; from < all.length; from += atMost) void find(all.slice(from, from + atMost));
};

const find = async (some: readonly Wanted[]): Promise<void> => {
  try {
    const { data } = await client.GET('/contacts', {
      params: { query: { id: some.map(({ id }) => id), limit: atMost } },
    });
    const byId = new Map(data?.data.map((contact) => [contact.id, contact]));
    for (const { id, resolve } of some) resolve(byId.get(id) ?? null);
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
};
