declare global {
  interface JSON {
    /** JSON of one value that is written as it is. Node has it, and browsers since 2025. */
    rawJSON?(text: string): unknown;
  }
}

/**
 * A number of JSON that a double would change: it keeps the digits with which it came, as text and as JSON. It has no properties of its own, so
 * that whatever walks through JSON finds nothing in it.
 */
export class ExactNumber {
  readonly #digits: string;

  /** `digits` is a number as JSON writes it. */
  constructor(digits: string) {
    this.#digits = digits;
  }

  toString(): string {
    return this.#digits;
  }

  toJSON(): unknown {
    return JSON.rawJSON?.(this.#digits) ?? this.#digits;
  }
}
