import { Agent, request as sendRequest } from 'undici';
import { z } from 'zod';
import type { TestAccount, TestApi } from './api.ts';

const kept = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  kind: z.string(),
  event: z.string().nullable(),
  body_bytes: z.int(),
  verification: z.looseObject({ result: z.string() }),
  answered_status: z.int(),
});
const detail = kept.extend({
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  body: z.string(),
  body_truncated: z.boolean(),
});

/** An account's side of the test endpoint, by its session. */
export const testEndpointOf = async (api: TestApi, { session }: Pick<TestAccount, 'session'>) => {
  const path = '/dashboard/api/test-endpoint';
  const { body } = await api.request<{ url: string }>('GET', path, { session });
  const list = async () => {
    const answer = await api.request('GET', `${path}/requests`, { session });
    return z.object({ data: z.array(kept), not_kept: z.int() }).parse(answer.body);
  };
  return {
    url: body.url,
    list,
    /** The latest request, with headers and body. */
    latest: async () => {
      const [first] = (await list()).data;
      return detail.parse((await api.request('GET', `${path}/requests/${first?.id}`, { session })).body);
    },
    answers: (answer: object) => api.request('PATCH', path, { session, body: answer }),
  };
};

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer };

/** Sends a request as any other program on this machine could. */
export const sendAnything = async (url: string, { method = 'POST', headers = {}, body }: Sent = {}) => {
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => agent.close());
  const answer = await sendRequest(url, { method: method as 'POST', headers, body: body ?? null, dispatcher: agent });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
};
