/** Splits items into groups without a repeated id, in their order, because a statement records a delivery once. */
export const apart = <Item>(items: readonly Item[], idOf: (item: Item) => string): Item[][] => {
  const groups: Item[][] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const group = seen.get(idOf(item)) ?? 0;
    seen.set(idOf(item), group + 1);
    (groups[group] ??= []).push(item);
  }
  return groups;
};
