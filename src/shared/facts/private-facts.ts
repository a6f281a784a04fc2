import type { changed } from './changed.ts';
import type { contactChanged } from './contact-changed.ts';
import type { flowResumed } from './flow-resumed.ts';
import type { handoverChanged } from './handover-changed.ts';
import type { handoverEnded } from './handover-ended.ts';
import type { talked } from './talked.ts';

/** A fact that stays inside: the log has no row of it, and webhooks get nothing. Each has its topics with it. */
export type PrivateFact =
  | ReturnType<typeof contactChanged>
  | ReturnType<typeof handoverChanged>
  | ReturnType<typeof handoverEnded>
  | ReturnType<typeof flowResumed>
  | PageFact;

/** A fact that only pages and streams hear of. */
export type PageFact = ReturnType<typeof changed> | ReturnType<typeof talked>;
