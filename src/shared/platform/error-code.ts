/** The code that Node, PostgreSQL and libraries put on an error, such as ENOENT; undefined where there is none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
