import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { forEachIn } from '../lanes.ts';
import type { Process } from '../servers.ts';
import type { Target } from '../target.ts';
import type { Ask } from './ask.ts';
import { openStream } from './open-stream.ts';
import type { Receptions } from './receptions.ts';

/** An account with a webchat. */
export type Shop = { target: Target; webchatId: string };

/** A visitor of a shop who has written. */
export type Visitor = {
  shop: Shop;
  conversationId: string;
  say: (text: string) => Promise<void>;
  /** Notes the texts of messages that come. Resolves with what closes the stream. */
  open: (receptions: Pick<Receptions, 'note'>) => Promise<() => void>;
};

const written = z.object({ visitor_token: z.string().optional(), revision: z.number() });
const thread = z.object({ conversation: z.object({ id: z.string() }), revision: z.number() });
const changes = z.object({ messages: z.array(z.object({ text: z.string(), direction: z.string() })) });

const lanes = 16;

/** Has so many visitors write their first message, in the shops in turn, each from an address of its own. */
export const createVisitors = async (
  { ask, parley, shops }: { ask: Ask; parley: Process; shops: readonly Shop[] },
  count: number,
): Promise<Visitor[]> => {
  const visitors: Visitor[] = [];
  await forEachIn({ lanes, count }, async (index) => {
    const shop = shops[index % shops.length];
    if (!shop) throw new Error('there is no shop');
    visitors.push(await createVisitor({ ask, parley }, shop, `10.1.${index >> 8}.${index & 255}`));
  });
  return visitors;
};

const createVisitor = async (
  { ask, parley }: { ask: Ask; parley: Process },
  shop: Shop,
  address: string,
): Promise<Visitor> => {
  const base = `/webchat/${shop.webchatId}`;
  const post = async (text: string, more: Record<string, string> = {}) => {
    const headers = { 'x-forwarded-for': address, ...more };
    const body = { client_id: randomUUID(), text };
    return written.parse(await ask({ method: 'POST', path: `${base}/messages`, headers, status: 201, body }));
  };
  const { visitor_token: token = '' } = await post('Hello, anybody there?');
  const headers = { 'x-forwarded-for': address, 'x-visitor-token': token };
  const read = async () => thread.parse(await ask({ method: 'GET', path: `${base}/changes`, headers, status: 200 }));
  const { conversation } = await read();
  return {
    shop,
    conversationId: conversation.id,
    say: async (text) => void (await post(text, headers)),
    open: async ({ note }) => {
      const { revision } = await read();
      return openStream(`${parley.url}${base}/stream?after=${revision}&conversation=${conversation.id}`, {
        headers,
        take: ({ event, data }) => {
          if (event !== 'changes') return;
          for (const { text, direction } of changes.parse(data).messages) if (direction === 'business') note(text);
        },
      });
    },
  };
};
