/** What a table has under a name that somebody else wrote; undefined for "constructor", which every object has. */
export const ownOf = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
