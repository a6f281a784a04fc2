import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { createSession } from '../../../../src/shared/accounts/sessions.ts';
import { aContact, anOrder } from '../../../helpers/builders.ts';
import { aColleague } from '../../../helpers/states/accounts.ts';
import { call, callAsOwner, type Setting } from './setting.ts';

/** Custom fields, tags, contacts with both, and orders of the first contact. Answers ids as the API shows them. */
export const furnishContacts = async (setting: Setting) => {
  const { say } = setting;
  const post = (path: string, body: object) => call(setting, 'POST', path, body);
  const size = { key: 'size', name: say('Size'), type: 'text', options: ['S', 'M', 'L', say('Tall')] };
  const field = await post('/custom-fields', size);
  await post('/custom-fields', { key: 'left', name: say('Left in stock'), type: 'number', default: 0 });
  await post('/custom-fields', { key: 'note', name: say('Note'), type: 'text' });
  await post('/custom-fields', { key: 'likes', name: say('Likes'), type: 'list' });
  const vip = say('vip').slice(0, 100);
  const tag = await post('/tags', { name: vip });
  await post('/tags', { name: 'newsletter' });

  const custom_fields = { size: 'M', left: 3, note: say('Likes engines'), likes: [say('shirts'), 'hats'] };
  const contact = await post(
    '/contacts',
    aContact({ first_name: say('Ada'), external_id: say('shop/1'), custom_fields }),
  );
  const others = [];
  for (const [first_name, last_name] of [
    ['Grace', 'Hopper'],
    ['Alan', 'Turing'],
    ['Hedy', 'Lamarr'],
    ['Katherine', 'Johnson'],
  ])
    others.push(
      await post('/contacts', { first_name, last_name: say(last_name ?? ''), time_zone: 'America/New_York' }),
    );
  for (const name of [vip, 'newsletter'])
    await call(setting, 'PUT', `/contacts/${contact.id}/tags/${encodeURIComponent(name)}`);

  const items = [{ name: say('Shirt, blue'), sku: say('SH-7'), quantity: 2, unit_price: 2_495 }];
  const metadata = { coupon: say('WELCOME') };
  const order = await post(
    '/orders',
    anOrder(contact.id, { number: say('#1042'), external_id: say('4711'), items, metadata }),
  );
  await call(setting, 'PATCH', `/orders/${order.id}`, { status: 'shipped' });
  await post('/orders', anOrder(others[0]?.id ?? '', { number: '#1043', currency: 'JPY', total: 12_000 }));
  return { contact: contact.id, others: others.map(({ id }) => id), order: order.id, tag: tag.id, field: field.id };
};

/** A user of each role beside the owner, an invitation, and API keys, one of them revoked. Answers a session of each role. */
export const furnishUsers = async (setting: Setting) => {
  const { say, account, world } = setting;
  const sessionOf = async (role: 'agent' | 'editor'): Promise<string> =>
    createSession(world.db, await aColleague(world.db, account.accountId, role));
  await callAsOwner(setting, 'POST', '/users', { email: `grace.${newUuid()}@example.com`, role: 'agent' });
  await callAsOwner(setting, 'POST', '/api-keys', { name: say('Shop') });
  const { id } = await callAsOwner(setting, 'POST', '/api-keys', { name: say('Old shop') });
  await callAsOwner(setting, 'DELETE', `/api-keys/${id}`);
  return {
    user: showId('user', account.userId),
    sessions: { owner: account.session, editor: await sessionOf('editor'), agent: await sessionOf('agent') },
  };
};
