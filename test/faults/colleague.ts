import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { insist } from './insist.ts';

const againMs = 200;

const listed = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Somebody who answers in every conversation over the API, each answer with a name of its own, until it is accepted. */
export const createColleague = (service: { url: string }, apiKey: string) => {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const headers = () => ({ authorization: `Bearer ${apiKey}` });
    const request = { method: body ? 'POST' : 'GET', path: `/v1${path}`, body, headers };
    return (await insist(() => service.url, request)).body;
  };
  const answerIn = async (id: string, replies: readonly string[]): Promise<void> => {
    for (const [index, text] of replies.entries())
      await ask(`/conversations/${id}/messages`, { text, client_ref: `${id} ${index}` });
  };
  return {
    /** Resolves when so many conversations have all of these replies. */
    answer: async (count: number, replies: readonly string[]): Promise<void> => {
      const answered = new Map<string, Promise<void>>();
      while (answered.size < count) {
        const { data } = listed.parse(await ask('/conversations?limit=100'));
        for (const { id } of data) if (!answered.has(id)) answered.set(id, answerIn(id, replies));
        await sleep(againMs);
      }
      await Promise.all(answered.values());
    },
  };
};
