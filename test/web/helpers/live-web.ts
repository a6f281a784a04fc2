import type { DeliveryWorldOptions } from '../../helpers/delivery-world.ts';
import { startLiveApi, type LiveApi } from '../../helpers/live-world.ts';
import { useWebOf, type Web } from './web.ts';

/** API, workers and browser of a whole test file, stopped after it, in which no page may complain. */
export const useLiveWeb = async (options?: DeliveryWorldOptions): Promise<{ live: LiveApi; web: Web }> => {
  const live = await startLiveApi(options);
  return { live, web: await useWebOf(live.api, live.stop) };
};
