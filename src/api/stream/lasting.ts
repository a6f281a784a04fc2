import type { ServerResponse } from 'node:http';

/** The event of a response that lasts as long as its client listens. */
const lasting = 'parley.lasting';

/** Tells the server that an answer lasts: the time that others have to be read in does not hold for it. */
export const letLast = (response: ServerResponse): void => void response.emit(lasting);

/** Calls back when `letLast` is called for this response. */
export const whenLasting = (response: ServerResponse, callback: () => void): void =>
  void response.once(lasting, callback);
