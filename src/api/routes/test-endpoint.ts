import { found, notFound } from '../../shared/errors.ts';
import {
  keptAtMost,
  showTestRequest,
  showTestRequestSummary,
  testAnswerChanges,
  testEndpointBody,
  testRequest,
  testRequestBody,
  testRequestsBody,
} from '../../shared/test-endpoint/schema.ts';
import type { TestEndpoint } from '../../shared/test-endpoint/test-endpoint.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';

const refusals = { 404: 'Where the installation has none: see TEST_ENDPOINT.' };

/** An address of this installation itself, where an account tries its webhooks and flows. */
export const testEndpointRoutes = (deps: ApiDeps): Resource => {
  const routes = createResource(deps, {
    tag: { name: 'Test endpoint', description: 'An address of this installation, to try webhooks and flows with.' },
    doors: ['v1', 'dashboard'],
  });
  const required = (): TestEndpoint => {
    if (!deps.testEndpoint) throw notFound('test endpoint');
    return deps.testEndpoint;
  };
  addAnswer(routes, required);
  addRequests(routes, required);
  return routes;
};

const addAnswer = (routes: Resource, required: () => TestEndpoint): void => {
  endpoint(
    routes,
    {
      id: 'getTestEndpoint',
      method: 'get',
      path: '/test-endpoint',
      summary: 'Read the address and response of the test endpoint',
      role: 'editor',
      answers: { 200: testEndpointBody },
      refusals,
    },
    ({ principal }) => required().read(principal.accountId),
  );
  endpoint(
    routes,
    {
      id: 'updateTestEndpoint',
      method: 'patch',
      path: '/test-endpoint',
      summary: 'Change the response of the test endpoint',
      description:
        'The next request gets this answer. While the status is 2xx, the endpoint answers signed challenges as webhooks have to.',
      role: 'editor',
      body: testAnswerChanges,
      answers: { 200: testEndpointBody },
      refusals,
    },
    ({ principal, body }) => required().change(principal.accountId, body),
  );
};

const addRequests = (routes: Resource, required: () => TestEndpoint): void => {
  endpoint(
    routes,
    {
      id: 'listTestRequests',
      method: 'get',
      path: '/test-endpoint/requests',
      summary: 'List the requests to the test endpoint, newest first',
      description: `The last ${keptAtMost.requests} of an hour, in memory: a restart forgets them.`,
      role: 'editor',
      answers: { 200: testRequestsBody },
      refusals,
    },
    async ({ principal }) => {
      const { requests, notKept } = required().requests.list(principal.accountId);
      return { data: requests.map(showTestRequestSummary), not_kept: notKept };
    },
  );
  endpoint(
    routes,
    {
      id: 'getTestRequest',
      method: 'get',
      path: '/test-endpoint/requests/:id',
      summary: 'Read a request with headers and body',
      role: 'editor',
      noun: testRequest,
      answers: { 200: testRequestBody },
    },
    async ({ principal, id }) => showTestRequest(found('request', required().requests.find(principal.accountId, id))),
  );
  endpoint(
    routes,
    {
      id: 'deleteTestRequests',
      method: 'delete',
      path: '/test-endpoint/requests',
      summary: 'Clear the requests of the test endpoint',
      role: 'editor',
      answers: { 204: null },
      refusals,
    },
    async ({ principal }) => required().requests.clear(principal.accountId),
  );
};
