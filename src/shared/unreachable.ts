/** Ends a switch over a union: a new member makes this line a type error. */
export const unreachable = (value: never): never => {
  throw new TypeError(`unreachable: ${String(value)}`);
};
