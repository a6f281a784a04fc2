import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const againMs = 200;

const listed = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Somebody who answers in every conversation over the API, each answer with a name of its own, until it is accepted. */
export const createColleague = (service: { url: string }, apiKey: string) => {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    for (;;) {
      const answer = await fetch(`${service.url}/v1${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(20_000),
      }).catch(() => undefined);
      const text = await answer?.text().catch(() => undefined);
      if (answer?.ok && text !== undefined) return JSON.parse(text);
      if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${text}`);
      await sleep(againMs);
    }
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
