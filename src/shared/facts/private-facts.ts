import type { changed } from './changed.ts';
import type { contactChanged } from './contact-changed.ts';

/** A fact that stays inside: the log has no row of it, and webhooks get nothing. Each has its topics with it. */
export type PrivateFact = ReturnType<typeof contactChanged> | ReturnType<typeof changed>;
