export interface Excerpt {
  /** Takes what still fits; false when something did not. */
  add(chunk: Uint8Array): boolean;
  bytes(): Uint8Array;
}

/** The first `maxBytes` of a body. It copies, because a body sent byte by byte would otherwise cost a hundred times its size. */
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
