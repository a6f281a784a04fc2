import type { OpenCredential } from '../../../src/shared/credentials/open.ts';
import { externalRequest } from '../../../src/shared/flows/blocks/external-request.ts';
import type { ExternalRequest } from '../../../src/shared/flows/blocks/request-schema.ts';
import { scopeOf } from '../../../src/shared/flows/blocks/scope.ts';
import { newestMeaning, type BlockContext } from '../../../src/shared/flows/blocks/context.ts';
import type { FieldDefinition, FieldType, FieldValue } from '../../../src/shared/custom-fields/values.ts';
import { renderRequest, type RenderedRequest } from '../../../src/shared/external-requests/render-request.ts';

/** A block as its schema reads it; a GET of `https://shop.example/` when nothing is said. */
export const aBlock = (fields: Readonly<Record<string, unknown>> = {}): ExternalRequest =>
  externalRequest.schema.parse({
    id: 'call',
    type: 'external_request',
    method: 'GET',
    url: 'https://shop.example/',
    ...fields,
  });

export const aField = (key: string, type: FieldType): [string, FieldDefinition] => [
  key,
  { key, name: key, type, options: null, default: null },
];

/** A contact Ada in a run, with these custom fields. */
export const aBlockContext = (fields: Readonly<Record<string, FieldValue>> = {}): BlockContext => {
  const now = new Date('2026-03-02T12:00:00Z');
  return {
    v: newestMeaning,
    now,
    account: { name: 'Acme', timeZone: 'UTC', defaultCountry: null },
    contact: {
      id: 'con_1',
      firstName: 'Ada',
      lastName: null,
      email: 'ada@example.com',
      phone: null,
      language: null,
      timeZone: null,
      externalId: null,
      channel: 'api',
      fields,
      tags: ['vip'],
    },
    flow: { id: 'flow_1', name: 'Shop' },
    run: { id: 'run_1', startedAt: now, params: {}, reply: null, event: null },
    step: { number: 1, visit: 1, tries: 0, enteredAt: now },
    fields: new Map(),
  };
};

export const render = (
  fields: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, FieldValue>> = {},
  { v = newestMeaning }: { v?: number } = {},
): ReturnType<typeof renderRequest> =>
  renderRequest(aBlock(fields), {
    scope: scopeOf(aBlockContext(values)),
    v,
    idempotencyKey: 'run_1:call:1',
    nonce: '0123456789abcdef',
  });

/** The rendered request; throws when there is none. */
export const rendered = (...given: Parameters<typeof render>): RenderedRequest => {
  const result = render(...given);
  if (!result.ok) throw new Error(`${result.problem.place}: ${result.problem.message}`);
  return result.request;
};

export const aCredential = (changes: Partial<OpenCredential> = {}): OpenCredential => ({
  name: 'shop',
  type: 'bearer',
  param: null,
  hosts: ['shop.example'],
  secret: 'sk_live/4711&x',
  ...changes,
});

export const credentials = (...all: OpenCredential[]): Map<string, OpenCredential> =>
  new Map(all.map((credential) => [credential.name, credential]));
