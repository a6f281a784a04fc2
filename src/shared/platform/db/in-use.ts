import postgres from 'postgres';

/** lock_not_available and deadlock_detected. */
const codes: readonly string[] = ['55P03', '40P01'];

/** Whether a statement was given up because others hold its tables. It may succeed later. */
export const isInUse = (error: unknown): error is postgres.PostgresError =>
  error instanceof postgres.PostgresError && codes.includes(error.code);
