import { z } from 'zod';
import type { Target } from '../target.ts';

/** What an account of the bench does with flows. */
export type Automation = {
  /** A live flow of these blocks; answers its id. */
  addFlow: (definition: {
    blocks: readonly Block[];
    keyword?: string;
    match?: 'prefix';
    reentry?: 'allow';
  }) => Promise<string>;
  /** A contact writes; answers its id. */
  write: (message: { sender: string; text: string }) => Promise<string>;
  /** Enrols a contact; answers the run's id. */
  enrol: (contactId: string, flowId: string) => Promise<string>;
};

export type Block = { id: string; type: string } & Record<string, unknown>;

const withId = z.object({ id: z.string() });

/** Gives the account of a target custom fields, and a channel of its own, whose messages to contacts go to `callbackUrl` or nowhere. */
export const createAutomation = async (
  { call }: Pick<Target, 'call'>,
  { callbackUrl }: { callbackUrl?: string } = {},
): Promise<Automation> => {
  const post = (path: string, body: object, status = 201): Promise<unknown> =>
    call({ method: 'POST', path: `/v1${path}`, status, body });
  const { id: channelId } = withId.parse(
    await post('/channels', { type: 'api', name: 'Flows', callback_url: callbackUrl }),
  );
  for (const [key, type] of Object.entries({ size: 'text', left: 'number', note: 'text' }))
    await post('/custom-fields', { key, name: key, type });
  let written = 0;
  return {
    addFlow: async ({ blocks, keyword, match = 'exact', reentry = 'one_active' }) => {
      const triggers = keyword === undefined ? [] : [{ type: 'keyword', match, words: [keyword] }];
      const definition = { schema_version: 1, start: blocks[0]?.id, triggers, reentry, blocks };
      const { id } = withId.parse(await post('/flows', { name: 'Bench', definition }));
      await post(`/flows/${id}/publish`, {}, 200);
      return id;
    },
    write: async ({ sender, text }) => {
      const body = { message_id: `m-${(written += 1)}`, sender: { external_id: sender }, text };
      const answer = await post(`/channels/${channelId}/inbound`, body, 202);
      return z.object({ contact_id: z.string() }).parse(answer).contact_id;
    },
    enrol: async (contactId, flowId) =>
      withId.parse(await post(`/contacts/${contactId}/flows`, { flow_id: flowId })).id,
  };
};
