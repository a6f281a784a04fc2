import { newUuid } from '../../../src/shared/ids.ts';
import { aFlow, make } from '../make.ts';
import { keepDoing, type Adversary } from './adversary.ts';

export const oneContact: Adversary = {
  title: 'Requests that lock one contact',
  how: '250 at a time: changes of its fields and tags, messages of its own, and enrollments',
  begin: async (caller) => {
    const external_id = newUuid();
    const contact = `/contacts/${await make(caller, '/contacts', { external_id })}`;
    const channel = await make(caller, '/channels', { name: 'Shop', type: 'api' });
    const flow_id = await aFlow(caller, [{ id: 'note', type: 'add_tag', tag: 'seen' }]);
    const kinds = [
      () => caller.call('PATCH', contact, { first_name: newUuid() }),
      () => caller.call('PUT', `${contact}/tags/vip`),
      () =>
        caller.call('POST', `/channels/${channel}/inbound`, {
          message_id: newUuid(),
          sender: { external_id },
          text: 'hello',
        }),
      () => caller.call('POST', `${contact}/flows`, { flow_id }),
    ];
    return keepDoing(250, async (count) => kinds[count % kinds.length]?.());
  },
};
