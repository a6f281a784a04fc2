/** Looks for the names of a kind that somebody may have meant: of the first misspellings, for a definition may have thousands. */
export const createNearest = (budget = 50) => {
  const hints = new Map<string, string | null>();
  return (
    kind: 'block' | 'type' | 'key' | 'field' | 'name' | 'tag' | 'credential',
    name: string,
    names: Iterable<string>,
  ) => {
    // Every kind of object has keys of its own.
    const key = kind === 'key' ? `${kind} ${name} of ${[...names].join(' ')}` : `${kind} ${name}`;
    const known = hints.get(key);
    if (known !== undefined) return known;
    if (hints.size >= budget) return null;
    const hint = say(nearestTo(name, [...names]));
    hints.set(key, hint);
    return hint;
  };
};

export type Nearest = ReturnType<typeof createNearest>;

const say = (names: readonly string[]): string | null =>
  names.length === 0 ? null : `Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?`;

/** Up to three names that differ by the fewest letters, and by three at most. */
const nearestTo = (name: string, names: readonly string[]): string[] => {
  const most = Math.min(3, Math.max(1, Math.floor(name.length / 3)));
  const folded = name.toLowerCase();
  const near = names
    .map((other) => ({ other, distance: distanceOf(folded, other.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most);
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.flatMap(({ other, distance }) => (distance === least ? other : [])).slice(0, 3);
};

/**
 * How many letters have to be put in, taken out or replaced, or two neighbours changed over (optimal string alignment). Only what can still
 * be within `most` is looked at; whatever is more is Infinity, or some number beyond it.
 */
const distanceOf = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let [before, row, next] = [far(b), far(b), far(b)];
  for (let j = 0; j <= most && j <= b.length; j += 1) row[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    next.fill(255);
    if (i <= most) next[0] = i;
    let least = next[0] ?? 255;
    const last = Math.min(b.length, i + most);
    for (let j = Math.max(1, i - most); j <= last; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let distance = same ? at(row, j - 1) : 1 + Math.min(at(row, j), at(next, j - 1), at(row, j - 1));
      if (!same && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, at(before, j - 2) + 1);
      next[j] = Math.min(distance, 254);
      least = Math.min(least, distance);
    }
    if (least > most) return Infinity;
    [before, row, next] = [row, next, before];
  }
  return at(row, b.length);
};

const far = ({ length }: string): Uint8Array => new Uint8Array(length + 1).fill(255);

const at = (row: Uint8Array, index: number): number => row[index] ?? 255;
