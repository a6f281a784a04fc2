import { z } from 'zod';
import { findLastAnswered } from '../../../shared/external-requests/queries.ts';
import { requestBody, showRequest } from '../../../shared/external-requests/schema.ts';
import { getFlow } from '../../../shared/flows/manage.ts';
import { endpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../http.ts';
import type { Resource } from '../../resource.ts';

const lastResponse = z.object({ request: requestBody.nullable() }).meta({ id: 'LastResponse' });

/** What another service has really answered to a block, as a sample for tests and simulations. */
export const addLastResponse = (flows: Resource, deps: ApiDeps): void =>
  endpoint(
    flows,
    {
      id: 'getLastFlowResponse',
      method: 'get',
      path: '/flows/:id/blocks/:block/last-response',
      params: z.object({ block: z.string().meta({ description: 'The id of a block external_request.' }) }),
      summary: 'Read the last response to a block',
      description:
        'The latest request of the block that got a response, in the last 100 runs of the flow, of whatever version. Secrets are redacted, bodies are excerpts of 16 KiB.',
      role: 'editor',
      noun: 'flow',
      answers: { 200: lastResponse },
    },
    async ({ principal: { accountId }, id, params }) => {
      await getFlow(deps.db, { accountId, id });
      const asked = { accountId, flowId: id, blockId: params.block };
      const row = await deps.reads(accountId, (sql) => findLastAnswered(sql, asked));
      return { request: row ? showRequest(row) : null };
    },
  );
