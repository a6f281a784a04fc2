import type { TestApi } from './api.ts';
import { aDefinition } from './definitions.ts';

type Issue = {
  severity: string;
  code: string;
  block_id: string | null;
  path: string;
  message: string;
  hint: string | null;
};

/** A flow, or its draft, as the API answers it. */
export type Flow = {
  id: string;
  name: string;
  status: string;
  version: number | null;
  draft_revision: number;
  draft_changed: boolean;
  published_at: string | null;
  issues: Issue[];
};
export type FlowDraft = { flow_id: string; revision: number; definition: Record<string, unknown>; issues: Issue[] };
export type Refusal = { error: { code: string; message: string; details?: Partial<Issue>[] } };

/** A definition that can be published: a greeting unless it has other blocks. */
export const aFlowDefinition = ({
  text = 'Hello',
  blocks = [{ id: 'hello', type: 'send', messages: [{ text }] }],
  ...rest
}: { text?: string; blocks?: readonly Record<string, unknown>[] } & Record<string, unknown> = {}) =>
  aDefinition(blocks, rest);

/** Calls of the flows' API for one account. */
export const flowCalls = (api: TestApi, { apiKey: key }: { apiKey: string }) => {
  const call = <Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    api.request<Body & Refusal>(method, `/v1${path}`, { key, headers, ...(body !== undefined && { body }) });
  const create = async (definition: object = aFlowDefinition(), name = 'Shirts') =>
    (await call<Flow>('POST', '/flows', { name, definition })).body;
  const publish = (id: string) => call<Flow>('POST', `/flows/${id}/publish`);
  return {
    call,
    create,
    publish,
    /** A live flow. */
    createLive: async (definition: object = aFlowDefinition(), name = 'Shirts') =>
      (await publish((await create(definition, name)).id)).body,
    save: (id: string, definition: object, headers = {}) =>
      call<FlowDraft>('PUT', `/flows/${id}/draft`, { definition }, headers),
    draft: (id: string) => call<FlowDraft>('GET', `/flows/${id}/draft`),
    read: async (id: string) => (await call<Flow>('GET', `/flows/${id}`)).body,
  };
};
