import postgres from 'postgres';
import { RequestError } from '../errors.ts';

/** Throws `conflict` where an insert failed because its e-mail address belongs to a user already, and the error itself otherwise. */
export const refuseTakenEmail = (error: unknown): never => {
  const isTaken = error instanceof postgres.PostgresError && error.constraint_name?.startsWith('users_email');
  if (!isTaken) throw error;
  throw new RequestError('conflict', 'This e-mail address is in use already.');
};
