import { type FailureDetail, sayFailure } from './failure-details.ts';

/** An answer that cannot be read. Its connection is of no more use. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly detail: FailureDetail;

  constructor(detail: FailureDetail) {
    super(sayFailure(detail));
    this.detail = detail;
  }
}
