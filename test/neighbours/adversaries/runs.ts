import { newUuid } from '../../../src/shared/ids.ts';
import { aContact, aFlow, inARow } from '../make.ts';
import { keepDoing, type Adversary } from './adversary.ts';

export const firesItself: Adversary = {
  title: 'A flow that fires itself',
  how: '96 blocks that take off and put on the tag that its trigger waits for; eight contacts enter it at once, again and again',
  begin: async (caller) => {
    const twice = ['remove_tag', 'add_tag'].map((type) => ({ type, tag: 'spark' }));
    const blocks = inARow(Array.from({ length: 48 }, () => twice).flat());
    const flow_id = await aFlow(caller, blocks, { triggers: [{ type: 'tag_applied', tag: 'spark' }] });
    const contacts = await Promise.all(Array.from({ length: 8 }, () => aContact(caller)));
    return keepDoing(8, (count) => caller.call('POST', `/contacts/${contacts[count % 8]}/flows`, { flow_id }));
  },
};

export const runsAtOnce: Adversary = {
  title: 'Two thousand runs that begin at once',
  how: 'a flow for every new contact, and contacts that are made 100 at a time',
  begin: async (caller) => {
    await aFlow(caller, [{ id: 'note', type: 'add_tag', tag: 'seen' }], { triggers: [{ type: 'new_contact' }] });
    return keepDoing(100, () => caller.call('POST', '/contacts', { external_id: newUuid() }), 2_000);
  },
};
