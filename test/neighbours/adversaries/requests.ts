import type { Installation, Caller } from '../installation.ts';
import { aContact, aFlow, make } from '../make.ts';
import { keepDoing, type Adversary } from './adversary.ts';

/** Contacts go through a flow with this request, ten at a time. */
const asking = async (caller: Caller, { thirdParty }: Installation, block: object): Promise<() => Promise<void>> => {
  const ask = { id: 'ask', type: 'external_request', method: 'GET', url: `${thirdParty}large`, ...block };
  const flow_id = await aFlow(caller, [{ ...ask, next: { success: null, error: null, timeout: null } }]);
  const contacts = await Promise.all(Array.from({ length: 10 }, () => aContact(caller)));
  return keepDoing(10, (count) => caller.call('POST', `/contacts/${contacts[count % 10]}/flows`, { flow_id }));
};

export const deepPaths: Adversary = {
  title: 'Mappings that look at everything',
  how: '`$..zzz`, `$[::-1][?@>2]` and `$..[?length(@.b)>5 && count(@.*)>9]` over an answer of 1 MB, ten runs at a time',
  begin: async (caller, installation) => {
    const paths = ['$..zzz', '$[::-1][?@>2]', '$..[?length(@.b)>5 && count(@.*)>9]'];
    const mapping = paths.map((path) => ({ path, field: 'first_name' }));
    return asking(caller, installation, { mapping });
  },
};

export const manySecrets: Adversary = {
  title: 'Requests with many credentials',
  how: 'ten in the headers of a request whose answer of 1 MB is kept without them, ten runs at a time',
  begin: async (caller, installation) => {
    const names = Array.from({ length: 10 }, (_, at) => `secret${at}`);
    for (const name of names)
      await make(caller, '/credentials', {
        name,
        type: 'header',
        hosts: ['127.0.0.1'],
        header: `X-${name}`,
        value: `text 1${name}`,
      });
    const headers = Object.fromEntries(names.map((name) => [`X-${name}`, `{{credential.${name}}}`]));
    return asking(caller, installation, { headers });
  },
};
