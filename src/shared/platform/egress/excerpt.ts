export interface Excerpt {
  /** Takes as much as still fits. False when some of it did not. */
  add(chunk: Uint8Array): boolean;
  bytes(): Uint8Array;
}

/** Keeps the first `maxBytes` of a body. It copies them: chunks of a single byte would cost a hundred times their size. */
export function createExcerpt(maxBytes: number): Excerpt {
  let buffer = new Uint8Array(0);
  let length = 0;
  return {
    add(chunk) {
      const fitting = chunk.subarray(0, maxBytes - length);
      if (length + fitting.length > buffer.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(length + fitting.length, buffer.length * 2)));
        larger.set(buffer);
        buffer = larger;
      }
      buffer.set(fitting, length);
      length += fitting.length;
      return fitting.length === chunk.length;
    },
    bytes: () => buffer.subarray(0, length),
  };
}
