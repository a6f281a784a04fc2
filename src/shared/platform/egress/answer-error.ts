import { type FailureDetail, sayFailureDetail } from './failure-details.ts';

/** An answer that cannot be read. Its connection is of no more use. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly detail: FailureDetail;

  constructor(detail: FailureDetail) {
    super(`the server ${sayFailureDetail[detail]}`);
    this.detail = detail;
  }
}
