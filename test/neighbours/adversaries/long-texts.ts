import { newUuid } from '../../../src/shared/ids.ts';
import { aFlow, make } from '../make.ts';
import { keepDoing, type Adversary } from './adversary.ts';

export const longTexts: Adversary = {
  title: 'Long messages through many regular expressions',
  how: 'messages of 5,000 characters from ten contacts, each through 20 conditions of five expressions that have to look at all of it',
  begin: async (caller) => {
    const channel = await make(caller, '/channels', { name: 'Shop', type: 'api' });
    const blocks = Array.from({ length: 20 }, (_, block) => {
      const next = block === 19 ? null : `rules${block + 1}`;
      const rules = Array.from({ length: 5 }, (__, rule) => ({
        field: 'reply.text',
        op: 'matches',
        value: `(a|b|${block})*(a|c|${rule})+z`,
      }));
      return { id: `rules${block}`, type: 'condition', match: 'any', rules, next: { true: null, false: next } };
    });
    await aFlow(caller, blocks, { triggers: [{ type: 'default_reply' }] });
    const say = (count: number) => ({
      message_id: newUuid(),
      sender: { external_id: `contact ${count % 10}` },
      text: 'a'.repeat(5_000),
    });
    return keepDoing(10, (count) => caller.call('POST', `/channels/${channel}/inbound`, say(count)));
  },
};
