/**
 * A function that makes a value for each key, and keeps the `least` values that were used last, and at most as many again. A maker that throws is
 * asked again the next time. What is kept costs a look-up: the order of use is that of two generations.
 */
export const createMemo = <Value extends object>(least: number, make: (key: string) => Value) => {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (key: string): Value => {
    const known = young.get(key);
    if (known) return known;
    const value = old.get(key) ?? make(key);
    if (young.size >= least) [old, young] = [young, new Map()];
    young.set(key, value);
    return value;
  };
};
