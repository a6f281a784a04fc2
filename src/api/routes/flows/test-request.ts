import { z } from 'zod';
import { RequestError, invalid, notFound } from '../../../shared/errors.ts';
import { requestToTest, showTestedRequest, testedRequestBody } from '../../../shared/external-requests/schema.ts';
import { testRequest } from '../../../shared/external-requests/test-request.ts';
import { externalRequest } from '../../../shared/flows/blocks/external-request.ts';
import type { ExternalRequest } from '../../../shared/flows/blocks/request-schema.ts';
import { createIssues, parsePart } from '../../../shared/flows/definition/issues.ts';
import { createNearest } from '../../../shared/flows/definition/nearest.ts';
import { definitionBody } from '../../../shared/flows/schema.ts';
import { getDraft } from '../../../shared/flows/drafts.ts';
import { isObject, type RawBlock } from '../../../shared/flows/raw-blocks.ts';
import { parseId } from '../../../shared/ids.ts';
import { sampleContext } from '../../../shared/runs/engine/sample-context.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

/** The longest that a test waits for the other service, in ms: somebody waits for the answer. */
const longestMs = 30_000;

/** The test of an External Request in the builder. */
export const addTestRequest = (flows: Resource, deps: ApiDeps): void =>
  endpoint(
    flows,
    {
      id: 'testFlowRequest',
      method: 'post',
      path: '/flows/:id/blocks/:block/test-request',
      params: z.object({
        block: z.string().meta({ description: 'The id of a block external_request of the draft, or of `block`.' }),
      }),
      summary: 'Try the request of a block',
      description:
        'As a run would, for a contact or for sample values, with its credentials; 30 s at most. Shows the final bytes without secrets, the whole response, and what each mapping comes to. It sends one real request. Nothing is saved.',
      role: 'editor',
      noun: 'flow',
      body: requestToTest,
      bodyLimit: definitionBody.bodyLimit,
      repairsTexts: true,
      answers: { 200: testedRequestBody },
    },
    async ({ principal: { accountId }, id: flowId, params, body }) => {
      const config = body.block
        ? readBlock(body.block, { path: 'block', blockId: params.block })
        : findBlock((await getDraft(deps.db, { accountId, id: flowId })).definition.blocks, params.block);
      const contactId = body.contact_id === undefined ? undefined : parseId('contact', body.contact_id);
      if (body.contact_id !== undefined && contactId === undefined) throw notFound('contact');
      const { values, params: runParams, reply, event } = body;
      const { lastingLinkTo } = deps.media;
      const sample = { accountId, flowId, contactId, values, params: runParams, reply, event, lastingLinkTo };
      const context = await sampleContext(deps.db, sample);
      const tested = await testRequest(
        {
          sql: deps.db,
          secrets: deps.secrets,
          tokens: deps.tokens,
          egress: deps.callEgress,
          judgeResponse: deps.judgeResponse,
          redactBody: deps.redactBody,
        },
        { accountId, config: { ...config, timeout_ms: Math.min(config.timeout_ms, longestMs) }, context },
      );
      if (tested.type === 'busy')
        throw new RequestError('unavailable', 'Too many requests are in progress. Try again in a moment.');
      return showTestedRequest(tested);
    },
  );

const findBlock = (given: unknown, blockId: string): ExternalRequest => {
  const blocks: readonly unknown[] = Array.isArray(given) ? given : [];
  const index = blocks.findIndex((block) => isObject(block) && block['id'] === blockId);
  const block = blocks[index];
  if (!isObject(block)) throw notFound('block');
  return readBlock(block, { path: `blocks.${index}`, blockId });
};

const readBlock = (block: RawBlock, { path, blockId }: { path: string; blockId: string }): ExternalRequest => {
  if (block['id'] !== blockId) throw invalid({ path: `${path}.id`, message: 'must be the id in the path' });
  if (block['type'] !== externalRequest.type)
    throw invalid({
      path: `${path}.type`,
      message: `must be "${externalRequest.type}": no other block makes a request`,
    });
  const issues = createIssues();
  const config = parsePart({ issues, nearest: createNearest() }, externalRequest.schema, block, { path, blockId });
  if (config) return config;
  throw invalid(issues.list());
};
