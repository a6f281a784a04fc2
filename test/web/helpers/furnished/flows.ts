import { readId } from '../../../../src/shared/ids.ts';
import { aDefinition } from '../../../helpers/definitions.ts';
import { aRefusedCredential } from '../../../helpers/states/tokens.ts';
import { call, type Setting } from './setting.ts';
import { write } from './talks.ts';

/** Where the shop answers below the receiver, and where it does not. */
export const shop = { stock: '/stock', broken: '/broken' } as const;

const askForStock = ({ receiver, say }: Setting, prompt: string) =>
  aDefinition(
    [
      {
        id: 'ask_size',
        type: 'ask',
        prompt: say(prompt),
        expects: 'choice',
        choices: ['S', 'M', 'L'],
        save_to: 'size',
        timeout: 'PT1H',
        next: { invalid: null, timeout: null },
      },
      {
        id: 'stock',
        type: 'external_request',
        method: 'POST',
        url: `${receiver.url(shop.stock)}/{{size}}`,
        credential: 'shop',
        headers: { 'X-Asked-By': 'Parley' },
        body: '{"size": "{{size}}"}',
        mapping: [
          { path: '$.items[0].left', field: 'left', on_missing: 'error' },
          { path: '$.items[0].note', field: 'note' },
        ],
        next: { error: 'sorry', timeout: 'sorry' },
      },
      { id: 'any_left', type: 'condition', rules: [{ field: 'left', op: 'gt', value: 0 }], next: { false: 'sorry' } },
      {
        id: 'yes',
        type: 'send',
        messages: [{ text: say('One {{size}} is yours. {{left}} are left.') }],
        next: { default: null },
      },
      { id: 'sorry', type: 'send', messages: [{ text: say('Sorry, there is none.') }] },
    ],
    { triggers: [{ type: 'keyword', match: 'exact', words: ['shirt'] }] },
  );

const callWhatIsBroken = ({ receiver }: Setting) =>
  aDefinition([
    {
      id: 'tell_shop',
      type: 'external_request',
      method: 'GET',
      url: receiver.url(shop.broken),
      attempts: 1,
      next: { timeout: null },
    },
    { id: 'done', type: 'end' },
  ]);

/** Credentials, flows in every state, and runs that wait, have failed, are through and were cancelled. Ids as the API shows them. */
export const furnishFlows = async (setting: Setting) => {
  const { say, world } = setting;
  const post = (path: string, body?: object) => call(setting, 'POST', path, body);
  const credential = await post('/credentials', {
    name: 'shop',
    type: 'header',
    hosts: ['127.0.0.1'],
    header: 'X-Shop-Key',
    value: 't0ps3cret',
  });
  await post('/credentials', { name: 'crm', type: 'bearer', hosts: ['*.crm.example'], token: 'sk_live_4711' });
  await post('/credentials', {
    name: 'maps',
    type: 'query',
    hosts: ['maps.example'],
    parameter: say('key'),
    value: 'v',
  });
  await aRefusedCredential(setting.api.deps, setting.account.accountId, 'bookings');
  const flow = await post('/flows', { name: say('Shirts'), definition: askForStock(setting, 'Which size?') });
  await post(`/flows/${flow.id}/publish`);
  await call(setting, 'PUT', `/flows/${flow.id}/draft`, {
    definition: askForStock(setting, 'Which size shall it be?'),
  });
  await post(`/flows/${flow.id}/publish`);
  await call(setting, 'PUT', `/flows/${flow.id}/draft`, {
    definition: { ...askForStock(setting, 'Size?'), start: 'nowhere' },
  });
  const failing = await post('/flows', { name: say('Tell the shop'), definition: callWhatIsBroken(setting) });
  await post(`/flows/${failing.id}/publish`);
  await post('/flows', { name: say('Not ready'), definition: aDefinition([]) });
  const paused = await post('/flows', { name: say('Sale'), definition: callWhatIsBroken(setting) });
  await post(`/flows/${paused.id}/publish`);
  await post(`/flows/${paused.id}/pause`);
  const old = await post('/flows', { name: say('Last year'), definition: callWhatIsBroken(setting) });
  await post(`/flows/${old.id}/archive`);

  const runOf = async (contact: string): Promise<string> =>
    (await call<{ data: { id: string }[] }>(setting, 'GET', `/runs?contact_id=${contact}`)).data[0]?.id ?? '';
  const begin = async (sender: string): Promise<string> => {
    const { contact } = await write(setting, { external_id: sender, first_name: say(sender) }, 'shirt');
    return runOf(contact);
  };
  /** Looks at a run as its workflow would, and makes the calls that it comes to. */
  const carryOn = async (run: string): Promise<void> => {
    for (;;) {
      const next = await world.advance(readId('run', run));
      if (next.type !== 'call') return;
      await world.activities.callThirdParty({ runId: run, resumes: 0 }, next.step);
    }
  };
  const through = await begin('Rosalind');
  await carryOn(through);
  await write(setting, { external_id: 'Rosalind' }, 'M');
  await carryOn(through);
  const waiting = await begin('Barbara');
  await carryOn(waiting);
  const cancelled = await begin('Margaret');
  await carryOn(cancelled);
  await post(`/runs/${cancelled}/cancel`);
  const { contact } = await write(setting, { external_id: 'Radia', first_name: say('Radia') }, 'Hello');
  const failed = await post(`/contacts/${contact}/flows`, { flow_id: failing.id });
  await carryOn(failed.id);
  // Of no run: the one that has failed stays so.
  const retry = await post('/retries', { flow_id: failing.id, block_id: 'tell_shop', reasons: ['timeout'] });
  await post(`/retries/${retry.id}/pause`);
  return {
    flow: flow.id,
    flows: [flow.id, failing.id],
    runs: [through, waiting, failed.id],
    retries: [retry.id],
    credential: credential.id,
  };
};
