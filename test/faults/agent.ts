import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { insist } from './insist.ts';

/** What an agent does in a conversation that a flow leads. */
export type Step = 'assign' | 'first reply' | 'note' | 'second reply' | 'hand back' | 'close' | 'last reply';

/** What agents write, by the step in which they do. */
export const written = {
  'first reply': 'Hello, this is Ann.',
  note: 'Wants to change an order.',
  'second reply': 'It is changed.',
  'last reply': 'Goodbye.',
} as const;

export type Agent = {
  /** As the API shows it. */
  userId: string;
  /** Takes a step in a conversation, by an id as the API shows it, at a service; again until it is answered. */
  take: (step: Step, id: string, service: () => string) => Promise<void>;
  /** How many steps have got the answer of an earlier try. */
  countReplayed: () => number;
};

const session = z.object({ user: z.object({ id: z.string() }) });
const conversation = z.object({ revision: z.number() });

/** The pages of a service, from which alone it takes requests of sessions. */
const originOf = (url: string): string => url.replace('127.0.0.1', 'localhost');

/** Somebody who signs in by a link, and does all that the inbox does by the same requests. */
export const anAgent = async (url: string, link: string): Promise<Agent> => {
  let cookie = '';
  let replayed = 0;
  const ask = async (
    service: () => string,
    { method, path, body, key }: { method: string; path: string; body?: object; key?: string },
  ) => {
    const { body: answer, headers } = await insist(service, {
      method,
      path: `/dashboard/api${path}`,
      body,
      headers: () => ({ cookie, origin: originOf(service()), ...(key !== undefined && { 'idempotency-key': key }) }),
    });
    if (headers.get('idempotent-replayed') === 'true') replayed += 1;
    return { answer, headers };
  };
  const signedIn = await ask(() => url, { method: 'POST', path: '/session/link', body: { token: link.split('=')[1] } });
  cookie = signedIn.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  const userId = session.parse(signedIn.answer).user.id;

  return {
    userId,
    countReplayed: () => replayed,
    take: async (step, id, service) => {
      const path = `/conversations/${id}`;
      const post = (to: string, body?: object) =>
        ask(service, { method: 'POST', path: `${path}/${to}`, key: randomUUID(), ...(body && { body }) });
      const reply = async (text: string, more: object = {}) => {
        const { answer } = await ask(service, { method: 'GET', path });
        const { revision: seen_revision } = conversation.parse(answer);
        await post('messages', { text, client_ref: randomUUID(), seen_revision, ...more });
      };
      if (step === 'assign') await ask(service, { method: 'PATCH', path, body: { assigned_to: userId } });
      else if (step === 'note') await post('notes', { text: written.note });
      else if (step === 'hand back' || step === 'close') await post(step.replace(' ', '-'));
      else await reply(written[step], step === 'last reply' ? { next: 'close' } : {});
    },
  };
};
