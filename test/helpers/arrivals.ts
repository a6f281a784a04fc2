import { onTestFinished } from 'vitest';
import { createMedia } from '../../src/shared/media/media.ts';
import { createArrivals, type Arrivals } from '../../src/shared/messages/channels/arrivals/arrivals.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import { tempFolder } from './temp-folder.ts';

/** What brings what comes in over a world's channels, with a folder of its own for files; it ends with the test. */
export const arrivalsOf = (world: DeliveryWorld): Arrivals => {
  const { baseUrl, mediaQuota } = parseConfig({});
  const media = createMedia({ baseUrl, mediaQuota, dataDir: tempFolder('media') }, world.secrets);
  onTestFinished(() => media.stop());
  const arrivals = createArrivals({ ...world, media });
  onTestFinished(arrivals.stop);
  return arrivals;
};
