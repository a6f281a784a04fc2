import type { z } from 'zod';
import { RequestError } from '../../errors.ts';
import type { messageBody } from '../schema.ts';

/** Another user has answered since the revision that an agent has seen. */
export class AnsweredMeanwhile extends RequestError {
  /** What they have answered. */
  readonly answer: z.infer<typeof messageBody>;

  constructor(answer: z.infer<typeof messageBody>) {
    const conflictWith = { id: answer.id, key: 'seen_revision' };
    super('answered_meanwhile', 'Someone else has answered in the meantime.', { conflictWith });
    this.answer = answer;
  }
}
