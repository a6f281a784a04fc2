import { expect, test } from 'vitest';
import { parseCurl } from '../../../src/shared/flows/curl/parse-curl.ts';
import { addRequest } from '../../../src/web/pages/flows/request/add-request.ts';
import { decideCurl, replaceRequest } from '../../../src/web/pages/flows/request/apply-curl.ts';

const read = (text: string) => {
  const parsed = parseCurl(text);
  if (!parsed.ok) throw new Error('this is no command');
  return parsed;
};

const none = { credentials: new Map<string, string | undefined>(), placeholders: new Map<string, string>() };

test('a credential of another name takes the place of the proposed one wherever the request names it', () => {
  const { request } = read(
    `curl https://a.example/x -H 'Authorization: Bearer t1' -H 'X-Api-Key: k1' --json '{"password": "p1"}'`,
  );
  const names = ['a', 'a_x_api_key', 'a_password'];
  const credentials = new Map(names.map((name) => [name, `my_${name}`]));
  expect(decideCurl(request, { ...none, credentials })).toMatchObject({
    credential: 'my_a',
    headers: { 'X-Api-Key': '{{credential.my_a_x_api_key}}' },
    body: '{"password": "{{credential.my_a_password}}"}',
  });
});

test('a secret that is left out leaves no header, and an empty text in JSON', () => {
  const { request } = read(
    `curl https://a.example/x -H 'Authorization: Bearer t1' -H 'X-Api-Key: k1' -H 'X-None;' --json '{"password": "p1"}'`,
  );
  const credentials = new Map(['a', 'a_x_api_key', 'a_password'].map((name) => [name, undefined]));
  const decided = decideCurl(request, { ...none, credentials });
  expect(decided).toMatchObject({ headers: { 'X-None': '' }, body: '{"password": ""}' });
  expect(decided).not.toHaveProperty('credential');
  expect(decided.headers).not.toHaveProperty('X-Api-Key');
});

test('a part of the url becomes a placeholder', () => {
  const { request, exposed } = read('curl https://api.telegram.example/bot123456:ABC-DEF1234ghIkl/sendMessage');
  const placeholders = new Map(exposed.map(({ text }) => [text, 'params.token']));
  expect(decideCurl(request, { ...none, placeholders }).url).toBe(
    'https://api.telegram.example/{{params.token}}/sendMessage',
  );
});

test('a replaced block keeps its id, mapping and ports, and nothing of the request before', () => {
  const block = {
    id: 'stock',
    type: 'external_request',
    name: 'Stock',
    method: 'POST',
    url: 'https://old.example/',
    credential: 'old',
    headers: { 'X-Old': '1' },
    form: { a: '1' },
    timeout_ms: 5_000,
    mapping: [{ path: '$.a', field: 'a' }],
    next: { error: null },
  };
  const { request } = read('curl https://new.example/x -d a=2 --max-time 20');
  expect(replaceRequest(block, request)).toEqual({
    id: 'stock',
    type: 'external_request',
    name: 'Stock',
    method: 'POST',
    url: 'https://new.example/x',
    body_type: 'form',
    form: { a: '2' },
    timeout_ms: 20_000,
    mapping: [{ path: '$.a', field: 'a' }],
    next: { error: null },
  });
});

test('a new request is connected with nothing, stands where it was pasted, and begins an empty flow', () => {
  const { request } = read('curl https://a.example/x');
  const empty = addRequest({ schema_version: 1, blocks: [] }, request, { x: 5, y: 7 });
  expect(empty.definition).toMatchObject({
    start: 'request',
    blocks: [{ id: 'request', url: 'https://a.example/x', next: { success: null } }],
    ui: { positions: { request: { x: 5, y: 7 } } },
  });
  const before = {
    start: 'request',
    blocks: [{ id: 'request', type: 'send', messages: [{ text: 'a' }] }],
  };
  const { id, definition } = addRequest(before, request, undefined);
  expect(id).toBe('request_2');
  expect(definition).toMatchObject({ start: 'request', blocks: [{ next: { default: null } }, { id: 'request_2' }] });
  expect(definition).not.toHaveProperty('ui');
});
