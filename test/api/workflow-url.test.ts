import { expect, test } from 'vitest';
import { createWorkflowUrl } from '../../src/shared/platform/temporal/workflow-url.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { movePlan } from '../helpers/states/accounts.ts';

const api = await useApi();

type Delivery = { id: string; status: string; workflow_url: string | null };

const post = async <Body>({ apiKey }: TestAccount, path: string, body: object = {}) => {
  const answer = await api.request<Body>('POST', `/v1${path}`, { key: apiKey, body });
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};

const aWebhook = { url: 'https://127.0.0.1:8443/hook', events: ['new_contact'], secret: 'choose-a-long-secret' };

const list = async ({ apiKey }: TestAccount) => {
  const { body } = await api.request<{ data: Delivery[] }>('GET', '/v1/deliveries', { key: apiKey });
  return body.data;
};

const workflowsUrl = 'http://temporal.example/namespaces/default/workflows/';

const urlOf = (id: string, more = ''): string => workflowsUrl + encodeURIComponent(`delivery/${id}${more}`);

test('a delivery links to the workflow of its round, in every answer', async () => {
  const account = await api.createAccount();
  const webhook = await post<{ id: string }>(account, '/webhooks', aWebhook);
  const tested = await post<Delivery>(account, `/webhooks/${webhook.id}/test`);
  expect(tested.workflow_url).toBe(urlOf(tested.id));
  const cancelled = await post<Delivery>(account, `/deliveries/${tested.id}/cancel`);
  expect(cancelled.workflow_url).toBe(urlOf(tested.id));
  await post(account, '/contacts', { first_name: 'Ada' });
  const [delivery, ...rest] = await list(account);
  expect(delivery?.workflow_url).toBe(urlOf(delivery?.id ?? ''));
  expect(rest).toHaveLength(1);
});

test('one that was parked as it was made has no workflow to link to, until it is replayed', async () => {
  const account = await api.createAccount();
  await post(account, '/webhooks', aWebhook);
  await movePlan(api.db, account.accountId, 'free');
  await post(account, '/contacts', { first_name: 'Ada' });
  const [parked] = await list(account);
  expect(parked).toMatchObject({ status: 'parked', workflow_url: null });
  await movePlan(api.db, account.accountId, 'pro');
  const id = parked?.id ?? '';
  const replayed = await post<Delivery>(account, `/deliveries/${id}/replay`);
  expect(replayed.workflow_url).toBe(urlOf(id, '/round/2'));
});

test('a bulk replay links to the workflow that carries it, also where it is paused and resumed', async () => {
  const account = await api.createAccount();
  await post(account, '/webhooks', aWebhook);
  type Replay = { id: string; workflow_url: string | null };
  const { id, workflow_url: first } = await post<Replay>(account, '/replays', { status: ['failed'] });
  const carried = `${workflowsUrl}${encodeURIComponent(`replay/${id}`)}`;
  expect(first).toBe(carried);
  const { body } = await api.request<Replay>('GET', `/v1/replays/${id}`, { key: account.apiKey });
  expect(body.workflow_url).toBe(carried);
  expect((await post<Replay>(account, `/replays/${id}/pause`)).workflow_url).toBe(carried);
  expect((await post<Replay>(account, `/replays/${id}/resume`)).workflow_url).toBe(
    `${carried}${encodeURIComponent('/resume/1')}`,
  );
});

test('links go into the namespace in use, and nowhere while no UI is known', () => {
  expect(createWorkflowUrl({ uiUrl: undefined, embedded: true })('delivery/dlv_1')).toBeUndefined();
  const workflowUrl = createWorkflowUrl({ uiUrl: 'https://ui.example/temporal', embedded: true });
  expect(workflowUrl('a/b')).toBe('https://ui.example/temporal/namespaces/default/workflows/a%2Fb');
  expect(workflowUrl(undefined)).toBeUndefined();
});
