import { z } from 'zod';

/** A url that is kept, shown and called exactly as it is given. `findUrlFault` checks what only the server can check. */
export const endpointUrl = z.string().max(2048);
