import createClient from 'openapi-fetch';
import createHooks from 'openapi-react-query';
import { parseJson } from '../../shared/platform/json/parse-json.ts';
import { noteAnswer, noteSilence } from './connection.ts';
import { readFailure } from './failure.ts';
import type { components, paths } from './paths.gen.d.ts';
import { markEnded } from './session-end.ts';

/** The names of what the API answers and takes, as its document has them. */
export type Schemas = components['schemas'];

/** The dashboard's API, typed by its document. Throws an `ApiFailure` for every refusal. */
export const client = createClient<paths>({ baseUrl: '/dashboard/api' });

/** The answer, which is read so that its numbers keep all of their digits. */
const keepingDigits = async (response: Response): Promise<Response | undefined> => {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return undefined;
  const text = await response.text();
  // openapi-fetch asks an answer without a length for its text, and reads that itself.
  const headers = new Headers({ ...Object.fromEntries(response.headers), 'content-length': String(text.length) });
  const { status } = response;
  return Object.assign(new Response(text, { status, headers }), { json: () => Promise.resolve(parseJson(text)) });
};

client.use({
  onError: ({ error }) => {
    // A request that was given up is no sign of anything.
    if (error instanceof TypeError) noteSilence();
  },
  onResponse: async ({ request, response, schemaPath }) => {
    noteAnswer();
    if (response.ok) return keepingDigits(response);
    // The session has ended meanwhile: every page then asks to sign in. A refused sign-in is told by its form.
    const isSigningInOrOut = schemaPath === '/session' && request.method !== 'GET';
    if (response.status === 401 && !isSigningInOrOut) markEnded();
    throw await readFailure(response);
  },
});

/** The same as hooks: `api.useQuery('get', '/webhooks')`, `api.useMutation('post', '/webhooks')`. */
export const api = createHooks(client);
