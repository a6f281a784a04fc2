import { aDefinition } from '../../helpers/definitions.ts';
import type { Caller } from '../installation.ts';
import { keepDoing, type Adversary } from './adversary.ts';

/** Stores a draft, publishes it, and exports it. */
const throughAll = async ({ call }: Caller, blocks: readonly Record<string, unknown>[]): Promise<void> => {
  const { body: made } = await call('POST', '/flows', { name: 'Draft', definition: aDefinition(blocks) });
  const flow = `/flows/${String(made['id'])}`;
  await call('POST', `${flow}/publish`, {});
  await call('GET', `${flow}/export`);
  await call('DELETE', flow);
};

const request = (rest: object) => ({ id: 'ask', type: 'external_request', method: 'GET', ...rest });

export const longUrl: Adversary = {
  title: 'Drafts with a long url',
  how: 'a url of 20,000 characters without a dot: stored, published and exported, four at a time',
  begin: async (caller) => keepDoing(4, () => throughAll(caller, [request({ url: `https://${'a'.repeat(20_000)}` })])),
};

export const braces: Adversary = {
  title: 'Drafts of braces',
  how: 'a url, a body and headers of `{{{{…` and `{{a{{a…`, 200 kB together: stored, published and exported, four at a time',
  begin: async (caller) => {
    const [open, names] = ['{'.repeat(40_000), '{{a'.repeat(13_000)];
    const headers = { 'X-Open': open, 'X-Names': names };
    return keepDoing(4, () => throughAll(caller, [request({ url: `https://${open}`, headers, body: names })]));
  },
};

export const patterns: Adversary = {
  title: 'Drafts of regular expressions',
  how: '2,000 of them, each another one: stored, published and exported, four at a time',
  begin: async (caller) =>
    keepDoing(4, (round) =>
      throughAll(
        caller,
        Array.from({ length: 100 }, (_, block) => ({
          id: `rules${block}`,
          type: 'condition',
          rules: Array.from({ length: 20 }, (__, rule) => ({
            field: 'reply.text',
            op: 'matches',
            value: `(${round}|${block}|${rule}).{0,40}[a-z]+x`,
          })),
        })),
      ),
    ),
};
