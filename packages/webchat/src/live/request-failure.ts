/** An answer that is none: no connection, too late, or a status that refuses. */
export class RequestFailure extends Error {
  /** 0 where no answer came. */
  readonly status: number;
  /** The field of the request that the server has something against, dotted; "" where it names none. */
  readonly field: string;
  /** How long the server wants to be left alone, in ms. */
  readonly waitMs: number;

  constructor(status: number, message: string, { waitMs = 0, field = '' } = {}) {
    super(message);
    this.status = status;
    this.waitMs = waitMs;
    this.field = field;
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}
