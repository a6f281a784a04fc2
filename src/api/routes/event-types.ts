import { z } from 'zod';
import { eventTypeBody, listEventTypes } from '../../shared/events/event-types.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';

/** What there is to subscribe to. */
export const eventTypeRoutes = (deps: ApiDeps): Resource => {
  const types = createResource(deps, {
    tag: {
      name: 'Event types',
      description: 'Events that a webhook can subscribe to, with the body of each.',
    },
    doors: ['v1'],
  });
  const data = listEventTypes();
  endpoint(
    types,
    {
      id: 'listEventTypes',
      method: 'get',
      path: '/event-types',
      summary: 'List the types of events',
      description: 'With a JSON Schema and an example of each body, for code generators and tests of receivers.',
      role: 'agent',
      answers: { 200: z.object({ data: z.array(eventTypeBody) }) },
    },
    async () => ({ data }),
  );
  return types;
};
