import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { cannedReplyNoun } from '../../src/shared/canned-replies/schema.ts';
import { mediaNoun } from '../../src/shared/media/schema.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { testRequest } from '../../src/shared/test-endpoint/schema.ts';
import { startApi, type TestAccount, type TestApi } from '../helpers/api.ts';
import { setRole } from '../helpers/states/accounts.ts';

/** Every operation, and whom it is open to: an API key, and the roles of users. Others are refused with 403. */
const operations = `
  GET    /api/accounts/me                       key

  POST   /v1/webhooks                           key
  GET    /v1/webhooks                           key
  GET    /v1/webhooks/{wh}                      key
  PATCH  /v1/webhooks/{wh}                      key
  DELETE /v1/webhooks/{wh}                      key
  POST   /v1/webhooks/{wh}/re-enable            key
  POST   /v1/webhooks/{wh}/re-enable/preview    key
  POST   /v1/webhooks/{wh}/test                 key
  POST   /v1/webhooks/{wh}/check-signature      key
  GET    /v1/deliveries                         key
  GET    /v1/deliveries/count                   key
  GET    /v1/deliveries/{dlv}                   key
  GET    /v1/deliveries/{dlv}/attempts          key
  POST   /v1/deliveries/{dlv}/retry             key
  POST   /v1/deliveries/{dlv}/cancel            key
  POST   /v1/deliveries/{dlv}/replay            key
  GET    /v1/event-types                        key
  GET    /v1/events                             key
  GET    /v1/events/count                       key
  GET    /v1/events/{evt}                       key
  POST   /v1/replays/preview                    key
  POST   /v1/replays                            key
  GET    /v1/replays                            key
  GET    /v1/replays/{rpl}                      key
  POST   /v1/replays/{rpl}/pause                key
  POST   /v1/replays/{rpl}/resume               key
  POST   /v1/replays/{rpl}/cancel               key
  POST   /v1/contacts                           key
  PUT    /v1/contacts                           key
  GET    /v1/contacts                           key
  GET    /v1/contacts/count                     key
  GET    /v1/contacts/{con}                     key
  PATCH  /v1/contacts/{con}                     key
  GET    /v1/contacts/{con}/timeline            key
  PUT    /v1/contacts/{con}/tags/{name}         key
  DELETE /v1/contacts/{con}/tags/{name}         key
  POST   /v1/contacts/{con}/messages            key
  GET    /v1/contacts/{con}/messages            key
  GET    /v1/messages/{msg}                     key
  POST   /v1/media                              key
  GET    /v1/media/{med}                        key
  POST   /v1/contacts/{con}/flows               key
  GET    /v1/flows/{flow}/stats                 key
  GET    /v1/flows/{flow}/counts                key
  GET    /v1/flows/{flow}/analytics             key
  GET    /v1/runs                               key
  GET    /v1/runs/count                         key
  GET    /v1/runs/{run}                         key
  GET    /v1/runs/{run}/steps                   key
  GET    /v1/runs/{run}/messages                key
  GET    /v1/runs/{run}/requests                key
  POST   /v1/runs/{run}/cancel                  key
  POST   /v1/runs/cancel                        key
  POST   /v1/runs/retry                         key
  POST   /v1/runs/{run}/retry                   key
  POST   /v1/tags                               key
  GET    /v1/tags                               key
  GET    /v1/tags/{tag}                         key
  PATCH  /v1/tags/{tag}                         key
  DELETE /v1/tags/{tag}                         key
  POST   /v1/orders                             key
  GET    /v1/orders                             key
  GET    /v1/orders/count                       key
  GET    /v1/orders/{ord}                       key
  PATCH  /v1/orders/{ord}                       key
  GET    /v1/conversations                      key
  GET    /v1/conversations/count                key
  GET    /v1/conversations/{cnv}                key
  GET    /v1/conversations/{cnv}/messages       key
  GET    /v1/conversations/{cnv}/changes        key
  GET    /v1/conversations/{cnv}/acts           key
  GET    /v1/conversations/{cnv}/thread         key
  GET    /v1/conversations/{cnv}/visitor        key
  POST   /v1/conversations/{cnv}/close          key
  POST   /v1/conversations/{cnv}/reopen         key
  PATCH  /v1/conversations/{cnv}                key
  POST   /v1/conversations/{cnv}/read           key
  POST   /v1/conversations/{cnv}/notes          key
  GET    /v1/conversations/{cnv}/notes          key
  POST   /v1/conversations/{cnv}/messages       key
  POST   /v1/conversations/{cnv}/snooze         key
  POST   /v1/conversations/{cnv}/unread         key
  POST   /v1/conversations/{cnv}/hand-over      key
  POST   /v1/conversations/{cnv}/hand-back      key
  GET    /v1/inbox/counts                       key
  POST   /v1/canned-replies                     key
  GET    /v1/canned-replies                     key
  GET    /v1/canned-replies/{can}               key
  PATCH  /v1/canned-replies/{can}               key
  DELETE /v1/canned-replies/{can}               key
  POST   /v1/canned-replies/{can}/render        key
  POST   /v1/handovers                          key
  GET    /v1/handovers                          key
  GET    /v1/handovers/{hnd}                    key
  PATCH  /v1/handovers/{hnd}                    key
  POST   /v1/handovers/{hnd}/resolve            key
  GET    /v1/handover-settings                  key
  PATCH  /v1/handover-settings                  key
  POST   /v1/custom-fields                      key
  GET    /v1/custom-fields                      key
  GET    /v1/custom-fields/{fld}                key
  PATCH  /v1/custom-fields/{fld}                key
  DELETE /v1/custom-fields/{fld}                key
  POST   /v1/channels                           key
  GET    /v1/channels                           key
  GET    /v1/channels/{chn}                     key
  PATCH  /v1/channels/{chn}                     key
  DELETE /v1/channels/{chn}                     key
  POST   /v1/channels/{chn}/rotate-secret       key
  POST   /v1/channels/{chn}/inbound             key
  POST   /v1/credentials                        key
  GET    /v1/credentials                        key
  GET    /v1/credentials/{cred}                 key
  PUT    /v1/credentials/{cred}                 key
  POST   /v1/credentials/{cred}/retry           key
  DELETE /v1/credentials/{cred}                 key
  GET    /v1/test-endpoint                      key
  PATCH  /v1/test-endpoint                      key
  GET    /v1/test-endpoint/requests             key
  GET    /v1/test-endpoint/requests/{treq}      key
  DELETE /v1/test-endpoint/requests             key
  POST   /v1/flows                              key
  GET    /v1/flows                              key
  GET    /v1/flows/{flow}                       key
  PATCH  /v1/flows/{flow}                       key
  GET    /v1/flows/{flow}/draft                 key
  PUT    /v1/flows/{flow}/draft                 key
  POST   /v1/flows/{flow}/validate              key
  POST   /v1/flows/{flow}/publish               key
  POST   /v1/flows/{flow}/pause                 key
  POST   /v1/flows/{flow}/resume                key
  POST   /v1/flows/{flow}/archive               key
  POST   /v1/flows/{flow}/unarchive             key
  GET    /v1/flows/{flow}/versions              key
  GET    /v1/flows/{flow}/versions/{version}    key
  POST   /v1/flows/{flow}/versions/{version}/restore key
  POST   /v1/flows/{flow}/blocks/{block}/test-request key
  GET    /v1/flows/{flow}/blocks/{block}/last-response key
  POST   /v1/flows/{flow}/simulate              key
  GET    /v1/flows/{flow}/scenarios            key
  POST   /v1/flows/{flow}/scenarios            key
  GET    /v1/flows/{flow}/scenarios/{scenario} key
  PUT    /v1/flows/{flow}/scenarios/{scenario} key
  DELETE /v1/flows/{flow}/scenarios/{scenario} key
  POST   /v1/flows/{flow}/scenarios/{scenario}/run key
  POST   /v1/flows/{flow}/duplicate            key
  GET    /v1/flows/{flow}/export                key
  POST   /v1/flows/import                       key
  GET    /v1/triggers                           key
  GET    /v1/account                            key
  PATCH  /v1/account                            key
  POST   /v1/bulk/contacts/tag                  key
  POST   /v1/bulk/contacts/untag                key
  POST   /v1/bulk/contacts/enroll               key
  POST   /v1/bulk/deliveries/replay             key
  POST   /v1/bulk/conversations/assign          key
  POST   /v1/bulk/conversations/close           key
  POST   /v1/bulk/conversations/reopen          key
  POST   /v1/retries/preview                   key
  POST   /v1/retries                           key
  GET    /v1/retries                           key
  GET    /v1/retries/{rty}                     key
  POST   /v1/retries/{rty}/pause               key
  POST   /v1/retries/{rty}/resume              key
  POST   /v1/retries/{rty}/cancel              key
  GET    /v1/flows/{flow}/failures             key
  POST   /v1/bulk/runs/cancel                   key
  POST   /v1/bulk/runs/retry                    key

  POST   /dashboard/api/session                 anyone
  POST   /dashboard/api/session/link            anyone
  GET    /dashboard/api/stream                  owner editor agent
  POST   /dashboard/api/retries/preview         owner editor
  POST   /dashboard/api/retries                 owner editor
  GET    /dashboard/api/retries                 owner editor agent
  GET    /dashboard/api/retries/{rty}           owner editor agent
  POST   /dashboard/api/retries/{rty}/pause     owner editor
  POST   /dashboard/api/retries/{rty}/resume    owner editor
  POST   /dashboard/api/retries/{rty}/cancel    owner editor
  GET    /dashboard/api/flows/{flow}/failures   owner editor agent
  PUT    /dashboard/api/presence/{subject}/{tab} owner editor agent
  DELETE /dashboard/api/presence/{subject}/{tab} owner editor agent
  GET    /dashboard/api/session                 owner editor agent
  DELETE /dashboard/api/session                 owner editor agent
  GET    /dashboard/api/sessions                owner editor agent
  DELETE /dashboard/api/sessions                owner editor agent
  DELETE /dashboard/api/sessions/{ses}          owner editor agent
  PUT    /dashboard/api/password                owner editor agent
  POST   /dashboard/api/password-reset          anyone
  PUT    /dashboard/api/password-reset          anyone
  POST   /dashboard/api/invitations/preview     anyone
  POST   /dashboard/api/invitations/accept      anyone
  POST   /dashboard/api/users                   owner
  GET    /dashboard/api/users                   owner editor agent
  PATCH  /dashboard/api/users/{usr}             owner
  PATCH  /dashboard/api/profile                 owner editor agent
  DELETE /dashboard/api/users/{usr}             owner
  GET    /dashboard/api/invitations             owner
  POST   /dashboard/api/invitations/{inv}/resend owner
  POST   /dashboard/api/invitations/{inv}/link  owner
  DELETE /dashboard/api/invitations/{inv}       owner
  POST   /dashboard/api/webhooks                owner editor
  GET    /dashboard/api/webhooks                owner editor agent
  GET    /dashboard/api/webhooks/{wh}           owner editor agent
  PATCH  /dashboard/api/webhooks/{wh}           owner editor
  DELETE /dashboard/api/webhooks/{wh}           owner editor
  POST   /dashboard/api/webhooks/{wh}/verify    owner editor
  POST   /dashboard/api/webhooks/{wh}/re-enable owner editor
  POST   /dashboard/api/webhooks/{wh}/re-enable/preview owner editor
  POST   /dashboard/api/webhooks/{wh}/test      owner editor
  POST   /dashboard/api/webhooks/{wh}/check-signature owner editor
  GET    /dashboard/api/webhook-secret          owner
  POST   /dashboard/api/webhook-secret/rotate   owner
  GET    /dashboard/api/api-keys                owner
  POST   /dashboard/api/api-keys                owner
  DELETE /dashboard/api/api-keys/{key}          owner
  GET    /dashboard/api/views                   owner editor agent
  POST   /dashboard/api/views                   owner editor agent
  PATCH  /dashboard/api/views/{view}            owner editor agent
  DELETE /dashboard/api/views/{view}            owner editor agent
  GET    /dashboard/api/list-columns/{list}     owner editor agent
  PUT    /dashboard/api/list-columns/{list}     owner editor agent
  GET    /dashboard/api/deliveries              owner editor agent
  GET    /dashboard/api/deliveries/count        owner editor agent
  GET    /dashboard/api/deliveries/{dlv}        owner editor agent
  GET    /dashboard/api/deliveries/{dlv}/attempts owner editor agent
  POST   /dashboard/api/deliveries/{dlv}/retry  owner editor
  POST   /dashboard/api/deliveries/{dlv}/cancel owner editor
  POST   /dashboard/api/deliveries/{dlv}/replay owner editor
  GET    /dashboard/api/overview                owner editor agent
  GET    /dashboard/api/overview/waiting        owner editor agent
  GET    /dashboard/api/statistics              owner editor agent
  GET    /dashboard/api/events                  owner editor agent
  GET    /dashboard/api/events/count            owner editor agent
  GET    /dashboard/api/events/{evt}            owner editor agent
  POST   /dashboard/api/replays/preview         owner editor agent
  POST   /dashboard/api/replays                 owner editor
  GET    /dashboard/api/replays                 owner editor agent
  GET    /dashboard/api/replays/{rpl}           owner editor agent
  POST   /dashboard/api/replays/{rpl}/pause     owner editor
  POST   /dashboard/api/replays/{rpl}/resume    owner editor
  POST   /dashboard/api/replays/{rpl}/cancel    owner editor
  POST   /dashboard/api/contacts                owner editor agent
  PUT    /dashboard/api/contacts                owner editor agent
  GET    /dashboard/api/contacts                owner editor agent
  GET    /dashboard/api/contacts/count          owner editor agent
  GET    /dashboard/api/contacts/{con}          owner editor agent
  PATCH  /dashboard/api/contacts/{con}          owner editor agent
  GET    /dashboard/api/contacts/{con}/timeline  owner editor agent
  PUT    /dashboard/api/contacts/{con}/tags/{name} owner editor agent
  DELETE /dashboard/api/contacts/{con}/tags/{name} owner editor agent
  POST   /dashboard/api/contacts/{con}/messages owner editor agent
  GET    /dashboard/api/contacts/{con}/messages owner editor agent
  GET    /dashboard/api/messages/{msg}          owner editor agent
  POST   /dashboard/api/media                   owner editor agent
  GET    /dashboard/api/media/{med}             owner editor agent
  POST   /dashboard/api/contacts/{con}/flows    owner editor
  GET    /dashboard/api/flows/{flow}/stats      owner editor agent
  GET    /dashboard/api/flows/{flow}/analytics  owner editor agent
  GET    /dashboard/api/flows/{flow}/counts     owner editor agent
  GET    /dashboard/api/runs                    owner editor agent
  GET    /dashboard/api/runs/count              owner editor agent
  GET    /dashboard/api/runs/{run}              owner editor agent
  GET    /dashboard/api/runs/{run}/steps        owner editor agent
  GET    /dashboard/api/runs/{run}/messages     owner editor agent
  GET    /dashboard/api/runs/{run}/requests     owner editor agent
  POST   /dashboard/api/runs/{run}/cancel       owner editor
  POST   /dashboard/api/runs/cancel             owner editor
  POST   /dashboard/api/runs/retry              owner editor
  POST   /dashboard/api/runs/{run}/retry        owner editor
  POST   /dashboard/api/tags                    owner editor agent
  GET    /dashboard/api/tags                    owner editor agent
  GET    /dashboard/api/tags/{tag}              owner editor agent
  PATCH  /dashboard/api/tags/{tag}              owner editor
  DELETE /dashboard/api/tags/{tag}              owner editor
  POST   /dashboard/api/orders                  owner editor
  GET    /dashboard/api/orders                  owner editor agent
  GET    /dashboard/api/orders/count            owner editor agent
  GET    /dashboard/api/orders/{ord}            owner editor agent
  PATCH  /dashboard/api/orders/{ord}            owner editor
  GET    /dashboard/api/conversations           owner editor agent
  GET    /dashboard/api/conversations/count     owner editor agent
  GET    /dashboard/api/conversations/{cnv}     owner editor agent
  GET    /dashboard/api/conversations/{cnv}/messages owner editor agent
  GET    /dashboard/api/conversations/{cnv}/changes owner editor agent
  GET    /dashboard/api/conversations/{cnv}/acts owner editor agent
  GET    /dashboard/api/conversations/{cnv}/thread owner editor agent
  GET    /dashboard/api/conversations/{cnv}/visitor owner editor agent
  POST   /dashboard/api/conversations/{cnv}/close owner editor agent
  POST   /dashboard/api/conversations/{cnv}/reopen owner editor agent
  PATCH  /dashboard/api/conversations/{cnv}     owner editor agent
  POST   /dashboard/api/conversations/{cnv}/read owner editor agent
  POST   /dashboard/api/conversations/{cnv}/notes owner editor agent
  GET    /dashboard/api/conversations/{cnv}/notes owner editor agent
  POST   /dashboard/api/conversations/{cnv}/messages owner editor agent
  POST   /dashboard/api/conversations/{cnv}/snooze owner editor agent
  POST   /dashboard/api/conversations/{cnv}/unread owner editor agent
  POST   /dashboard/api/conversations/{cnv}/hand-over owner editor agent
  POST   /dashboard/api/conversations/{cnv}/hand-back owner editor agent
  GET    /dashboard/api/inbox/counts            owner editor agent
  GET    /dashboard/api/conversations/{cnv}/drafts/{kind} owner editor agent
  PUT    /dashboard/api/conversations/{cnv}/drafts/{kind} owner editor agent
  DELETE /dashboard/api/conversations/{cnv}/drafts/{kind} owner editor agent
  POST   /dashboard/api/canned-replies          owner editor
  GET    /dashboard/api/canned-replies          owner editor agent
  GET    /dashboard/api/canned-replies/{can}    owner editor agent
  PATCH  /dashboard/api/canned-replies/{can}    owner editor
  DELETE /dashboard/api/canned-replies/{can}    owner editor
  POST   /dashboard/api/canned-replies/{can}/render owner editor agent
  POST   /dashboard/api/handovers               owner editor agent
  GET    /dashboard/api/handovers               owner editor agent
  GET    /dashboard/api/handovers/{hnd}         owner editor agent
  PATCH  /dashboard/api/handovers/{hnd}         owner editor agent
  POST   /dashboard/api/handovers/{hnd}/resolve owner editor agent
  GET    /dashboard/api/handover-settings       owner editor agent
  GET    /dashboard/api/handover-mails          owner editor agent
  PUT    /dashboard/api/handover-mails          owner editor agent
  GET    /dashboard/api/notification-settings   owner editor agent
  PUT    /dashboard/api/notification-settings   owner editor agent
  POST   /dashboard/api/notification-settings/test-mail owner editor agent
  PATCH  /dashboard/api/handover-settings       owner editor
  POST   /dashboard/api/custom-fields           owner editor
  GET    /dashboard/api/custom-fields           owner editor agent
  GET    /dashboard/api/custom-fields/{fld}     owner editor agent
  PATCH  /dashboard/api/custom-fields/{fld}     owner editor
  DELETE /dashboard/api/custom-fields/{fld}     owner editor
  POST   /dashboard/api/channels                owner editor
  GET    /dashboard/api/channels                owner editor agent
  GET    /dashboard/api/channels/{chn}          owner editor agent
  PATCH  /dashboard/api/channels/{chn}          owner editor
  DELETE /dashboard/api/channels/{chn}          owner editor
  POST   /dashboard/api/channels/{chn}/rotate-secret owner editor
  POST   /dashboard/api/channels/{chn}/inbound  owner editor agent
  POST   /dashboard/api/credentials             owner editor
  GET    /dashboard/api/credentials             owner editor
  GET    /dashboard/api/credentials/{cred}      owner editor
  PUT    /dashboard/api/credentials/{cred}      owner editor
  POST   /dashboard/api/credentials/{cred}/retry  owner editor
  DELETE /dashboard/api/credentials/{cred}      owner editor
  GET    /dashboard/api/test-endpoint           owner editor
  PATCH  /dashboard/api/test-endpoint           owner editor
  GET    /dashboard/api/test-endpoint/requests  owner editor
  GET    /dashboard/api/test-endpoint/requests/{treq} owner editor
  DELETE /dashboard/api/test-endpoint/requests  owner editor
  POST   /dashboard/api/flows                   owner editor
  GET    /dashboard/api/flows                   owner editor agent
  GET    /dashboard/api/flows/{flow}            owner editor agent
  PATCH  /dashboard/api/flows/{flow}            owner editor
  GET    /dashboard/api/flows/{flow}/draft      owner editor agent
  PUT    /dashboard/api/flows/{flow}/draft      owner editor
  POST   /dashboard/api/flows/{flow}/validate   owner editor agent
  POST   /dashboard/api/flows/{flow}/publish    owner editor
  POST   /dashboard/api/flows/{flow}/pause      owner editor
  POST   /dashboard/api/flows/{flow}/resume     owner editor
  POST   /dashboard/api/flows/{flow}/archive    owner editor
  POST   /dashboard/api/flows/{flow}/unarchive  owner editor
  GET    /dashboard/api/flows/{flow}/versions   owner editor agent
  GET    /dashboard/api/flows/{flow}/versions/{version} owner editor agent
  POST   /dashboard/api/flows/{flow}/versions/{version}/restore owner editor
  POST   /dashboard/api/flows/{flow}/blocks/{block}/test-request owner editor
  GET    /dashboard/api/flows/{flow}/blocks/{block}/last-response owner editor
  POST   /dashboard/api/flows/{flow}/simulate   owner editor agent
  GET    /dashboard/api/flows/{flow}/scenarios owner editor agent
  POST   /dashboard/api/flows/{flow}/scenarios owner editor
  GET    /dashboard/api/flows/{flow}/scenarios/{scenario} owner editor agent
  PUT    /dashboard/api/flows/{flow}/scenarios/{scenario} owner editor
  DELETE /dashboard/api/flows/{flow}/scenarios/{scenario} owner editor
  POST   /dashboard/api/flows/{flow}/scenarios/{scenario}/run owner editor agent
  POST   /dashboard/api/flows/{flow}/duplicate owner editor
  GET    /dashboard/api/flows/{flow}/export     owner editor agent
  POST   /dashboard/api/flows/import            owner editor
  GET    /dashboard/api/triggers                owner editor agent
  GET    /dashboard/api/account                 owner editor agent
  PATCH  /dashboard/api/account                 owner editor
  POST   /dashboard/api/bulk/contacts/tag       owner editor agent
  POST   /dashboard/api/bulk/contacts/untag     owner editor agent
  POST   /dashboard/api/bulk/contacts/enroll    owner editor
  POST   /dashboard/api/bulk/deliveries/replay  owner editor
  POST   /dashboard/api/bulk/conversations/assign owner editor agent
  POST   /dashboard/api/bulk/conversations/close owner editor agent
  POST   /dashboard/api/bulk/conversations/reopen owner editor agent
  POST   /dashboard/api/bulk/runs/cancel        owner editor
  POST   /dashboard/api/bulk/runs/retry         owner editor
`
  .split('\n')
  .flatMap((line) => {
    const [method, path, ...openTo] = line.trim().split(/ +/);
    return method && path ? [{ method, path, openTo }] : [];
  });

const nouns = {
  wh: 'webhook',
  dlv: 'delivery',
  evt: 'event',
  rpl: 'replay',
  rty: 'retry',
  con: 'contact',
  tag: 'tag',
  ord: 'order',
  cnv: 'conversation',
  hnd: 'handover',
  fld: 'field',
  msg: 'message',
  run: 'run',
  chn: 'channel',
  cred: 'credential',
  flow: 'flow',
  key: 'apiKey',
  ses: 'session',
  usr: 'user',
  inv: 'invitation',
  treq: testRequest,
  view: { name: 'view', prefix: 'view' },
  can: cannedReplyNoun,
  med: mediaNoun,
  list: 'run',
  subject: 'flow',
} as const;
const roles = ['owner', 'editor', 'agent'] as const;
type Asker = 'key' | (typeof roles)[number];
type Operation = (typeof operations)[number];

let api: TestApi;
let accounts: Record<Asker, TestAccount>;
beforeAll(async () => {
  api = await startApi();
  const accountOf = async (role: (typeof roles)[number]) => {
    const account = await api.createAccount();
    await setRole(api.db, account.userId, role);
    return account;
  };
  accounts = {
    key: await api.createAccount(),
    owner: await accountOf('owner'),
    editor: await accountOf('editor'),
    agent: await accountOf('agent'),
  };
});
afterAll(() => api.stop());

/** A session of its own for each request: some operations end sessions. */
const credentialOf = async (asker: Asker, path: string) => {
  const { apiKey, userId } = accounts[asker];
  if (asker !== 'key') return { session: await createSession(api.db, userId) };
  return path.startsWith('/api/') ? { headers: { 'x-access-token': apiKey } } : { key: apiKey };
};

const askedBy = (path: string): Asker[] => (path.startsWith('/dashboard/') ? [...roles] : ['key']);

/** What becomes of a request for something that is not there, or with a body that says nothing. */
const ask = async ({ method, path }: Operation, asker: Asker, body: unknown = {}): Promise<string> => {
  const place = path.replace(/\{(\w+)\}/, (_, prefix: keyof typeof nouns) => showId(nouns[prefix], newUuid()));
  const credential = await credentialOf(asker, path);
  const outgoing = { ...credential, ...(!['GET', 'DELETE'].includes(method) && { body }) };
  const answer = await api.request<{ error?: { code: string; message: string } } | undefined>(method, place, outgoing);
  const { code = 'done', message = '' } = answer.body?.error ?? {};
  const isRefused = ['unauthorized', 'forbidden', 'method_not_allowed', 'internal_error'].includes(code);
  return isRefused || message.startsWith('No such path') ? `${answer.status} ${code}` : 'handled';
};

test('the table has every operation that is served', async () => {
  const { body } = await api.request<{ paths: Record<string, object> }>('GET', '/openapi.json');
  const served = Object.entries(body.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'servers')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const listed = operations.map(
    ({ method, path }) => `${method} ${path.replace(/\{(?!name|version|list|subject|tab)\w+\}/, '{id}')}`,
  );
  expect(served.toSorted()).toEqual(listed.toSorted());
});

describe('each role carries out what it may, and is refused the rest with 403 forbidden', () => {
  test.for(operations.filter(({ openTo }) => !openTo.includes('anyone')))('$method $path', async (operation) => {
    const askers = askedBy(operation.path);
    const answers: [Asker, string][] = [];
    for (const asker of askers) answers.push([asker, await ask(operation, asker)]);
    const expected = askers.map((asker) => [asker, operation.openTo.includes(asker) ? 'handled' : '403 forbidden']);
    expect(answers).toEqual(expected);
  });
});

test('the document names the role that an operation asks for, exactly where one is asked for', async () => {
  type Paths = Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
  const { body } = await api.request<{ paths: Paths }>('GET', '/openapi.json');
  const told = operations.map(({ method, path }) => {
    const { responses } = body.paths[path.replace(/\{\w+\}/, '{id}')]?.[method.toLowerCase()] ?? {};
    return /Needs the role [a-z ]+\./.exec(responses?.['403']?.description ?? '')?.[0];
  });
  const asks: Record<string, string> = {
    'owner,editor': 'Needs the role editor or owner.',
    owner: 'Needs the role owner.',
  };
  expect(told).toEqual(
    operations.map(({ path, openTo }) => (path.startsWith('/dashboard/') ? asks[openTo.join()] : undefined)),
  );
});

test('who may not is refused before the body is looked at, so that its problems tell nothing', async () => {
  const refused = operations.filter(({ path, openTo }) => askedBy(path).includes('agent') && !openTo.includes('agent'));
  const answers = new Set<string>();
  for (const operation of refused.filter(({ openTo }) => !openTo.includes('anyone'))) {
    answers.add(await ask(operation, 'agent', '{"cut'));
  }
  expect([...answers]).toEqual(['403 forbidden']);
});

test('signing in needs no credential, and everything else refuses without one, or with that of another door', async () => {
  const answers: string[] = [];
  for (const { method, path, openTo } of operations) {
    const stranger = askedBy(path).includes('key') ? { session: accounts.owner.session } : { key: accounts.key.apiKey };
    for (const credential of [{}, stranger]) {
      const headers = { origin: api.url };
      const { status } = await api.request(method, path.replace(/\{\w+\}/, 'x'), { ...credential, headers });
      if (status !== (openTo.includes('anyone') ? 400 : 401)) answers.push(`${method} ${path}: ${status}`);
    }
  }
  expect(answers).toEqual([]);
});
