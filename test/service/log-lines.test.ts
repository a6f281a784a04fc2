import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApiKey } from '../../src/shared/accounts/api-keys.ts';
import { insertChannel } from '../../src/shared/messages/channels/queries.ts';
import { showId } from '../../src/shared/ids.ts';
import { startApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { startLiveWorld } from '../helpers/live-world.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { untold } from '../helpers/untold.ts';

test.for(['every', 'on-failure'] as const)(
  'at info a request is one line and an attempt is one, and nothing else is logged, with WORKFLOW_PER_DELIVERY=%s',
  async (mode) => {
    const lines: { msg: string }[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const { world, stop } = await startLiveWorld({ workflowPerDelivery: mode, log });
    onTestFinished(stop);
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const api = await startApi({ world, log });
    onTestFinished(() => api.stop());
    const { db, accountId } = world;
    const { value: key } = await createApiKey(untold(db), accountId, 'test');
    const channel = await insertChannel(db, accountId, { type: 'api', name: 'Shop' });
    for (const path of ['/one', '/two']) await world.aWebhook({ url: receiver.url(path), events: ['new_message'] });
    const path = `/v1/channels/${showId('channel', channel.id)}/inbound`;
    const sender = { external_id: 'ada' };
    for (let i = 0; i < 3; i += 1)
      expect((await api.request('POST', path, { key, body: anInboundMessage({ sender }) })).status).toBe(202);
    const attempted = () => lines.filter(({ msg }) => msg === 'delivery.attempted').length;
    await expect.poll(attempted, { timeout: 60_000 }).toBe(6);
    expect(receiver.requests).toHaveLength(6);
    expect(lines.map(({ msg }) => msg).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'api.request'),
      ...Array.from({ length: 6 }, () => 'delivery.attempted'),
    ]);
  },
);
