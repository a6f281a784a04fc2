import { z } from 'zod';
import { replayDelivery } from '../../../shared/deliveries/replay.ts';
import { exampleId } from '../../../shared/ids.ts';
import { addBulk, idsOf } from '../../bulk.ts';
import type { ApiDeps } from '../../http.ts';
import type { Resource } from '../../resource.ts';

/** What is done to many deliveries at once, which are named; `replays.ts` has those of a filter. */
export const addBulkOfDeliveries = (deliveries: Resource, deps: ApiDeps): void =>
  addBulk(deliveries, deps, {
    id: 'replayDeliveries',
    path: '/bulk/deliveries/replay',
    summary: 'Send up to 100 deliveries again',
    description: 'The same ids and bytes. A delivery that is being sent, and a test event, is refused.',
    role: 'editor',
    noun: 'delivery',
    body: z
      .strictObject({ ids: idsOf('delivery') })
      .meta({ id: 'ReplayDeliveries', example: { ids: [exampleId('delivery')] } }),
    change: async (tx, { scope, id }) => {
      await replayDelivery(tx, scope, id);
      return true;
    },
  });
