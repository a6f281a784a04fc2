/** What is wrong with a request. All but `malformed_body` mean that it is not proven to come from Parley, or not to be recent. */
export type VerificationErrorCode =
  | 'missing_header'
  | 'malformed_header'
  | 'signature_mismatch'
  | 'too_old'
  | 'too_new'
  | 'malformed_body';

/** A request that must not be processed. Its message says nothing about a secret, so it can be the body of the answer. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: VerificationErrorCode;
  /** The status to answer with: 401 (specification 5.6), or 400 when the signature is valid and the body is not that of a webhook. */
  readonly status: 400 | 401;

  constructor(code: VerificationErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
    this.status = code === 'malformed_body' ? 400 : 401;
  }
}

/** Another process works on this id, and may still fail. */
export class StillRunningError extends Error {
  override readonly name = 'StillRunningError';
  /** The status to answer with. It claims no success, so Parley tries again. */
  readonly status = 503;

  constructor(id: string) {
    super(`${id} is being worked on`);
  }
}
