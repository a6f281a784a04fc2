import type { ExactNumber } from './exact-number.ts';

/** What `JSON.parse` answers. */
export type PlainJson = string | number | boolean | null | PlainJson[] | { [key: string]: PlainJson };

/** What JSON can hold. */
export type Json = string | number | boolean | null | ExactNumber | Json[] | { [key: string]: Json };
