/** What the threads of the tests do. */
export const double = (number: number): number => 2 * number;

export const spin = (): never => {
  for (;;);
};

export const fail = (message: string): never => {
  throw new TypeError(message);
};
