import createClient from 'openapi-fetch';
import createHooks from 'openapi-react-query';
import { readFailure } from './failure.ts';
import type { components, paths } from './paths.gen.d.ts';
import { markEnded } from './session-end.ts';

/** The names of what the API answers and takes, as its document has them. */
export type Schemas = components['schemas'];

/** The dashboard's API, typed by its document. Throws an `ApiFailure` for every refusal. */
export const client = createClient<paths>({ baseUrl: '/dashboard/api' });

client.use({
  onResponse: async ({ request, response, schemaPath }) => {
    if (response.ok) return;
    // The session has ended meanwhile: every page then asks to sign in. A refused sign-in is told by its form.
    const isSigningInOrOut = schemaPath === '/session' && request.method !== 'GET';
    if (response.status === 401 && !isSigningInOrOut) markEnded();
    throw await readFailure(response);
  },
});

/** The same as hooks: `api.useQuery('get', '/webhooks')`, `api.useMutation('post', '/webhooks')`. */
export const api = createHooks(client);
