import { setTimeout as sleep } from 'node:timers/promises';

/** The specification (6.2) promises "within seconds". */
const deliveredWithinMs = 20_000;

/** The result, or an error that begins with `otherwise` when it takes too long. */
export const inTime = <Result>(result: Promise<Result>, otherwise: string): Promise<Result> =>
  Promise.race([
    result,
    sleep(deliveredWithinMs, undefined, { ref: false }).then(() => {
      throw new Error(`${otherwise} within ${deliveredWithinMs / 1000} s`);
    }),
  ]);
