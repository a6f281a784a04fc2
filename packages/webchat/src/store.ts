/** What a browser keeps of a visitor. */
export type Store = {
  get: (key: string) => string | null;
  set: (key: string, value: string) => void;
  remove: (key: string) => void;
  /** Names of all that begin so. */
  list: (prefix: string) => string[];
  /** The name in the browser's storage. */
  nameOf: (key: string) => string;
};

/** The name of what is kept of a visitor of this channel. */
export const storedName = (scope: string, key: string): string => `parley-webchat:${scope}:${key}`;

/** Storage of the browser, and memory for what it does not take: it may be full, or refuse everything. */
export const createStore = (scope: string, pick: () => Storage): Store => {
  const memory = new Map<string, string>();
  const attempt = <T>(work: (storage: Storage) => T): T | undefined => {
    try {
      return work(pick());
    } catch {
      return undefined;
    }
  };
  const nameOf = (key: string): string => storedName(scope, key);
  return {
    nameOf,
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(nameOf(key))) ?? null,
    set: (key, value) => {
      memory.set(key, value);
      attempt((storage) => {
        storage.setItem(nameOf(key), value);
        memory.delete(key);
      });
    },
    remove: (key) => {
      memory.delete(key);
      attempt((storage) => storage.removeItem(nameOf(key)));
    },
    list: (prefix) => {
      const begin = nameOf(prefix);
      const stored = attempt((storage) => Object.keys(storage).filter((name) => name.startsWith(begin))) ?? [];
      const inMemory = [...memory.keys()].filter((key) => key.startsWith(prefix));
      return [...new Set([...stored.map((name) => name.slice(nameOf('').length)), ...inMemory])];
    },
  };
};
