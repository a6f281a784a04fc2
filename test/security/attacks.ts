/**
 * Every attack that a test makes, in the order of the table of docs/reliability.md. `how` says what is done and `expected`
 * what counts as repelled, both for a reader who knows the product but not the test.
 */
export const attacks = {
  disguisedAddresses: {
    title: 'A webhook aimed at a private address',
    how: 'loopback, private, link-local and metadata addresses, in decimal, octal, hexadecimal, short, IPv6 and mapped forms',
    expected: 'refused with 422, and nothing is stored',
  },
} as const satisfies Record<string, { title: string; how: string; expected: string }>;

export type Attack = keyof typeof attacks;
