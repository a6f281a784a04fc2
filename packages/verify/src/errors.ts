/** What was wrong with a request. Everything but `malformed_body` means: it is not proven to come from Parley, or not now. */
export type VerificationErrorCode =
  | 'missing_header'
  | 'malformed_header'
  | 'signature_mismatch'
  | 'too_old'
  | 'too_new'
  | 'malformed_body';

/** A request that must not be processed. Its message never tells anything about a secret, so it can be the answer's body. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: VerificationErrorCode;
  /** To answer with: 401 (specification 5.6), or 400 when the signature was right and the body is no webhook's. */
  readonly status: 400 | 401;

  constructor(code: VerificationErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
    this.status = code === 'malformed_body' ? 400 : 401;
  }
}

/** Another process works on this id, and may yet fail. */
export class StillRunningError extends Error {
  override readonly name = 'StillRunningError';
  /** To answer with: no success is claimed, and Parley tries again. */
  readonly status = 503;

  constructor(id: string) {
    super(`${id} is being worked on`);
  }
}
