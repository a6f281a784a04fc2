import { expect, test } from 'vitest';
import { createCheck, type Answer } from './documented.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const error = { type: 'object', properties: { error: { type: 'string' } }, additionalProperties: false };
const word = {
  type: 'object',
  properties: { said: { type: 'string' } },
  required: ['said'],
  additionalProperties: false,
};

const check = createCheck({
  paths: {
    '/v1/words/{id}': {
      get: {
        responses: {
          200: { headers: { ETag: { required: true } }, ...json(word) },
          404: { $ref: '#/components/responses/NotFound' },
        },
      },
      delete: { responses: { 204: {} } },
    },
    '/v1/words/last': { get: { responses: { 200: json({ type: 'null' }) } } },
  },
  components: { schemas: { Error: error }, responses: { NotFound: json({ $ref: '#/components/schemas/Error' }) } },
});

const good: Answer = {
  method: 'get',
  path: '/v1/words/1',
  isRouted: true,
  status: 200,
  headers: { etag: '"1"', 'content-type': 'application/json; charset=utf-8' },
  body: { said: 'hello' },
};

test.for<[string, Partial<Answer>, string | undefined]>([
  ['as it says', {}, undefined],
  [
    'a declared refusal',
    { status: 404, headers: { 'content-type': 'application/json' }, body: { error: 'no' } },
    undefined,
  ],
  ['no body where none is told', { method: 'delete', status: 204, headers: {}, body: undefined }, undefined],
  [
    'a path that is spelled out',
    { path: '/v1/words/last', headers: { 'content-type': 'application/json' }, body: null },
    undefined,
  ],
  ['an unknown field', { body: { said: 'hello', by: 'me' } }, 'body must NOT have additional properties'],
  ['a field too few', { body: {} }, "body must have required property 'said'"],
  ['an undeclared status', { status: 409 }, '409 is not among 200, 404'],
  [
    'another shape of a refusal',
    { status: 404, headers: { 'content-type': 'application/json' }, body: { no: 1 } },
    'body must NOT have additional properties',
  ],
  ['a header too few', { headers: { 'content-type': 'application/json' } }, 'the header ETag is missing'],
  ['a header that is not told', { headers: { ...good.headers, location: '/' } }, 'the header location is not told'],
  ['another type', { headers: { etag: '"1"', 'content-type': 'text/html' } }, 'the type is text/html'],
  ['a body where none is told', { method: 'delete', status: 204, headers: {}, body: {} }, 'there is a body'],
  ['an operation that is not there', { method: 'put' }, 'there is no such operation'],
])('of an answer with %s the check says so', ([, given, said]) => {
  expect(check({ ...good, ...given })).toBe(said);
});
