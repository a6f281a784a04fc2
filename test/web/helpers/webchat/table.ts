import { createHash, randomBytes } from 'node:crypto';

/** A message as the server answers it. */
export type Row = {
  id: string;
  revision: number;
  client_id: string | null;
  direction: 'visitor' | 'business';
  author: 'bot' | 'agent';
  author_name: string | null;
  text: string;
  image_url: string | null;
  quick_replies: string[];
  attachments: unknown[];
  created_at: string;
  read_at: string | null;
};

export type Said = Partial<
  Pick<Row, 'author' | 'author_name' | 'text' | 'image_url' | 'quick_replies' | 'attachments'>
>;

type Typing = { bot: boolean; agent: boolean };

/** One visitor's conversations over a channel. */
export type Visitor = {
  externalId: string | null;
  conversation: { id: string; status: string; agent: { name: string } | null } | null;
  revision: number;
  rows: (Row & { conversation: string })[];
  typing: Typing;
};

/** What all visitors of a channel have, by their tokens. */
export const createTable = () => {
  const visitors = new Map<string, Visitor>();
  const listeners = new Set<(visitor: Visitor, typingOnly: boolean) => void>();
  let ids = 0;

  const tell = (visitor: Visitor, typingOnly = false): void => {
    for (const listener of listeners) listener(visitor, typingOnly);
  };

  const nextId = (prefix: string): string => `${prefix}_${String((ids += 1)).padStart(8, '0')}`;

  const create = (externalId: string | null): { token: string; visitor: Visitor } => {
    const token = randomBytes(32).toString('base64url');
    const visitor: Visitor = {
      externalId,
      conversation: null,
      revision: 0,
      rows: [],
      typing: { bot: false, agent: false },
    };
    visitors.set(token, visitor);
    return { token, visitor };
  };

  const add = (visitor: Visitor, row: Partial<Row>): Row => {
    if (visitor.conversation === null || visitor.conversation.status === 'closed') {
      visitor.conversation = { id: nextId('cnv'), status: 'open', agent: null };
      visitor.revision = 0;
    }
    visitor.revision += 1;
    const added: Visitor['rows'][number] = {
      id: nextId('msg'),
      client_id: null,
      direction: 'business',
      author: 'bot',
      author_name: null,
      text: '',
      image_url: null,
      quick_replies: [],
      attachments: [],
      created_at: new Date().toISOString(),
      read_at: null,
      ...row,
      revision: visitor.revision,
      conversation: visitor.conversation.id,
    };
    visitor.rows.push(added);
    tell(visitor);
    return added;
  };

  const show = (row: Visitor['rows'][number]) => ({ ...row, conversation: undefined });

  const answer = (visitor: Visitor, messages: Visitor['rows'], hasMore: boolean) => ({
    conversation: visitor.conversation,
    messages: messages.map(show),
    typing: visitor.typing,
    revision: visitor.revision,
    has_more: hasMore,
  });

  return {
    listeners,
    create,
    add,
    visitors,
    /** The only visitor that there is. */
    only: (): Visitor => {
      const [[, visitor] = []] = visitors;
      if (!visitor || visitors.size > 1) throw new Error(`There are ${visitors.size} visitors`);
      return visitor;
    },
    close: (visitor: Visitor): void => {
      if (!visitor.conversation) return;
      visitor.conversation.status = 'closed';
      visitor.revision += 1;
      tell(visitor);
    },
    say: (visitor: Visitor, said: Said): Row => add(visitor, { ...said, direction: 'business' }),
    edit: (visitor: Visitor, id: string, text: string): void => {
      const row = visitor.rows.find((one) => one.id === id);
      if (!row) throw new Error(`There is no ${id}`);
      visitor.revision += 1;
      Object.assign(row, { text, revision: visitor.revision });
      tell(visitor);
    },
    setTyping: (visitor: Visitor, typing: Partial<Typing>): void => {
      visitor.typing = { ...visitor.typing, ...typing };
      tell(visitor, true);
    },
    read: (visitor: Visitor, revision: number, direction: Row['direction'] = 'business'): void => {
      const seen = visitor.rows.filter(
        (row) => row.direction === direction && row.read_at === null && row.revision <= revision,
      );
      if (seen.length === 0) return;
      visitor.revision += 1;
      for (const row of seen) Object.assign(row, { read_at: new Date().toISOString(), revision: visitor.revision });
      tell(visitor);
    },
    latest: (visitor: Visitor, before: string | null, limit = 50) => {
      const rows = before === null ? visitor.rows : visitor.rows.filter(({ id }) => id < before);
      return answer(visitor, rows.slice(-limit), rows.length > limit);
    },
    since: (visitor: Visitor, after: number, limit = 20) => {
      const id = visitor.conversation?.id;
      const rows = visitor.rows
        .filter((row) => row.conversation === id && row.revision > after)
        .toSorted((one, other) => one.revision - other.revision);
      const lastOfPage = rows[limit - 1]?.revision ?? 0;
      // Rows of one revision stay together.
      const page = rows.filter((row, place) => place < limit || row.revision === lastOfPage);
      const hasMore = rows.length > page.length;
      const revision = hasMore ? (page.at(-1)?.revision ?? after) : visitor.revision;
      return { ...answer(visitor, page, hasMore), revision };
    },
  };
};

export type Table = ReturnType<typeof createTable>;

/** The proof of a person that the double takes. */
export const proofOf = (externalId: string): string =>
  createHash('sha256').update(`secret ${externalId}`).digest('hex');
