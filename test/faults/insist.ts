import { setTimeout as sleep } from 'node:timers/promises';

const againMs = 200;

type Request = { method: string; path: string; body?: object | undefined; headers: () => Record<string, string> };

type Answered = { body: unknown; headers: Headers };

/**
 * Asks a service, which may be another one each time, until it answers: again after no answer, and after one that says that it cannot answer now.
 * Throws for what it refuses.
 */
export const insist = async (service: () => string, { method, path, body, headers }: Request): Promise<Answered> => {
  for (;;) {
    const answer = await fetch(`${service()}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      headers: { ...headers(), 'content-type': 'application/json' },
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.ok && text !== undefined) return { body: JSON.parse(text), headers: answer.headers };
    if (answer && answer.status < 500) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    await sleep(againMs);
  }
};
