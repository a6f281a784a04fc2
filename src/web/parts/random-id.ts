/** An id that nobody can guess. Over plain http, browsers have no `randomUUID`. */
export const newRandomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
