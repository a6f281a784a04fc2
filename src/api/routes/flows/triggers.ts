import { liveTriggers, showTriggers } from '../../../shared/flows/trigger-schema.ts';
import { listTriggers } from '../../../shared/flows/triggers.ts';
import { findLosses } from '../../../shared/flows/who-wins.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

/** What starts flows by itself. */
export const addTriggers = (flows: Resource, deps: ApiDeps): void =>
  endpoint(
    flows,
    {
      id: 'listTriggers',
      method: 'get',
      path: '/triggers',
      summary: 'List the triggers of live flows',
      description:
        'The triggers of live flows, those of a type together, in the order in which they are tried: keywords that interrupt, then by priority, then the oldest flow. The first whose flow the contact can enter wins.',
      role: 'agent',
      answers: { 200: liveTriggers },
    },
    async ({ principal: { accountId } }) => {
      const triggers = await deps.reads(accountId, (sql) => listTriggers(sql, accountId));
      return showTriggers(triggers, findLosses(triggers));
    },
  );
