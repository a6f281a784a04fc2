import { newUuid } from '../../../src/shared/ids.ts';
import { make } from '../make.ts';
import { keepDoing, type Adversary } from './adversary.ts';

export const eventsAtOnce: Adversary = {
  title: 'Events to a receiver that does not answer',
  how: 'ten webhooks on it, and contacts that are made 20 at a time',
  begin: async (caller, { thirdParty }) => {
    const hook = { url: `${thirdParty}silent`, events: ['new_contact'], secret: 'a-secret-that-is-long-enough' };
    for (let count = 0; count < 10; count += 1) await make(caller, '/webhooks', hook);
    return keepDoing(20, () => caller.call('POST', '/contacts', { external_id: newUuid() }));
  },
};
