import { randomBytes } from 'node:crypto';
import { createAccount } from '../../../../src/shared/accounts/create-account.ts';
import { createSession } from '../../../../src/shared/accounts/sessions.ts';
import { showId } from '../../../../src/shared/ids.ts';
import { startApi, type TestApi } from '../../../helpers/api.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { withFlows } from '../../../helpers/flow-world.ts';
import { startReceiver, type Script } from '../../../helpers/receiver.ts';
import { furnishFlows, shop } from './flows.ts';
import { furnishContacts, furnishUsers } from './people.ts';
import { call, type Setting } from './setting.ts';
import { furnishTalks, write } from './talks.ts';
import { disableGone, furnishDeliveries, furnishWebhooks, paths, type Webhooks } from './webhooks.ts';
import type { Wording } from './wording.ts';

type Role = 'owner' | 'editor' | 'agent';

/** An account with something of everything. */
export type FurnishedAccount = {
  api: TestApi;
  /** What it was furnished by, for more of it. */
  setting: Setting;
  webhooks: Webhooks;
  /** A session of a user of each role. */
  sessions: Readonly<Record<Role, string>>;
  /** By the part of a path that stands before a parameter: what can stand in its place, the one with most to show first. */
  values: Readonly<Record<string, readonly string[]>>;
  stop: () => Promise<void>;
};

/** Answers as endpoints and shops do, in this wording. */
const answering =
  (say: Wording): Script =>
  ({ path }) => {
    const headers = { 'x-told': say('From the shop').replaceAll(/[^ -~]/g, '?') };
    if (path.startsWith(shop.stock))
      return { type: 'respond', headers, body: JSON.stringify({ items: [{ left: 3, note: say('Blue ones only') }] }) };
    if (path.startsWith(paths.well)) return { type: 'respond', headers, body: say('Thank you') };
    if (path.startsWith(paths.gone)) return { type: 'respond', status: 410, headers, body: say('We have moved') };
    if (path.startsWith('/to-visitors')) return 200;
    return { type: 'respond', status: 500, headers, body: say('Out of order') };
  };

/** Makes it through the API and the activities themselves; nobody carries anything out beside. Its texts are in this wording. */
export const startFurnishedAccount = async (say: Wording): Promise<FurnishedAccount> => {
  const [bare, receiver] = await Promise.all([
    startDeliveryWorld({ testEndpoint: true }),
    startReceiver({ respond: answering(say) }),
  ]);
  const email = `ada.lovelace.${randomBytes(4).toString('hex')}@example.com`;
  const owner = { name: say('Shirts & Co'), email, plan: 'pro', password: 'correct horse' } as const;
  const created = await createAccount({ sql: bare.db, secrets: bare.secrets }, owner);
  const account = { ...created, session: await createSession(bare.db, created.userId) };
  const world = await withFlows({ ...bare, accountId: account.accountId });
  const api = await startApi({ world });
  const setting: Setting = { world, api, account, receiver, say };

  const webhooks = await furnishWebhooks(setting);
  const people = await furnishContacts(setting);
  const { user, sessions } = await furnishUsers(setting);
  const talks = await furnishTalks(setting);
  const flows = await furnishFlows(setting);
  const lost = await disableGone(setting, webhooks);
  const writing = () => write(setting, { external_id: 'visitor-2' }, say('Hello?'));
  const { deliveries, replays } = await furnishDeliveries(setting, webhooks, writing);
  const events = await call<{ data: { id: string }[] }>(setting, 'GET', '/events?limit=1');

  return {
    api,
    setting,
    webhooks,
    sessions,
    values: {
      contacts: [people.contact, talks.contact],
      inbox: talks.conversations,
      conversations: talks.conversations,
      handovers: [talks.handover],
      orders: [people.order],
      tags: [people.tag],
      'custom-fields': [people.field],
      credentials: [flows.credential],
      users: [user],
      channels: [talks.channel],
      flows: flows.flows,
      versions: ['1'],
      runs: flows.runs,
      retries: flows.retries,
      webhooks: [webhooks.well, webhooks.gone, webhooks.unverified, webhooks.failing].map((id) =>
        showId('webhook', id),
      ),
      delivery: [...deliveries, lost],
      deliveries: [...deliveries, lost],
      replays,
      events: events.data.map(({ id }) => id),
    },
    stop: async () => {
      await api.stop();
      await world.stop();
      await receiver.close();
    },
  };
};
