import { newUuid } from '../../src/shared/ids.ts';
import { aDefinition } from '../helpers/definitions.ts';
import type { Caller } from './installation.ts';

type Raw = Record<string, unknown>;

/** Makes it, and answers its id. Throws where it is refused. */
export const make = async ({ call }: Caller, path: string, body: Raw): Promise<string> => {
  const { status, body: made } = await call('POST', path, body);
  if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(made)}`);
  return String(made['id']);
};

export const aContact = (caller: Caller): Promise<string> => make(caller, '/contacts', { external_id: newUuid() });

/** A live flow that contacts may be in several times. */
export const aFlow = async (caller: Caller, blocks: readonly Raw[], rest: Raw = {}): Promise<string> => {
  const definition = aDefinition(blocks, { reentry: 'allow', ...rest });
  const id = await make(caller, '/flows', { name: newUuid(), definition });
  await make(caller, `/flows/${id}/publish`, {});
  return id;
};

/** Each of these leads to the next. */
export const inARow = (blocks: readonly Raw[]): Raw[] =>
  blocks.map((block, at) => ({
    id: `b${at}`,
    ...block,
    next: { default: at + 1 < blocks.length ? `b${at + 1}` : null },
  }));

/** A live flow that answers each message that no other one takes. */
export const aFlowThatAnswers = (caller: Caller): Promise<string> =>
  aFlow(caller, [{ id: 'answer', type: 'send', messages: [{ text: 'We are here.' }] }], {
    triggers: [{ type: 'default_reply' }],
  });
