import { Menu } from '@mantine/core';
import { client, type Schemas } from '../api/client.ts';
import { invalidate } from '../api/query-client.ts';
import { contactStatusWords as words } from '../words/contact-status.ts';
import { confirm } from './confirm.tsx';
import { showFailure } from './failure.tsx';

type Status = Schemas['Contact']['status'];

/** What a contact can be changed to, from each status. */
const changes = {
  active: ['unsubscribed', 'blocked'],
  unsubscribed: ['active', 'blocked'],
  blocked: ['active'],
} as const satisfies Record<Status, readonly Status[]>;

/** Items of a menu that stop or allow messages to a contact. */
export const ContactStatusItems = ({
  contact: { id, status },
}: {
  contact: Pick<Schemas['Contact'], 'id' | 'status'>;
}) => {
  const change = async (next: Status): Promise<void> => {
    await client.PATCH('/contacts/{id}', { params: { path: { id } }, body: { status: next } });
    await invalidate('/contacts', '/runs', '/conversations');
  };
  /** Messages that wait are lost when they are stopped, and whoever has unsubscribed has to be asked first. */
  const askAndChange = (next: Status): void => {
    const { action, title, text } = words.statusChanges[next === 'active' ? 'resubscribed' : next];
    confirm({ title, children: text, action, isDangerous: next !== 'active', onConfirm: () => change(next) });
  };
  return changes[status].map((next) => (
    <Menu.Item
      key={next}
      onClick={() => {
        if (status === 'blocked') void change(next).catch(showFailure);
        else askAndChange(next);
      }}
    >
      {words.become[status === 'unsubscribed' && next === 'active' ? 'subscribed' : next]}
    </Menu.Item>
  ));
};
