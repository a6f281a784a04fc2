import { createStore } from '../../../packages/webchat/src/store.ts';
import { createOutbox, type Outbox } from '../../../packages/webchat/src/thread/outbox.ts';
import { createThread, type Thread } from '../../../packages/webchat/src/thread/thread.ts';
import { readMessage, type Message } from '../../../packages/webchat/src/live/wire.ts';
import { fieldsOf, textOrNull } from '../../../packages/webchat/src/reading.ts';

type Client = {
  request: (
    method: 'GET' | 'POST',
    path: string,
    options: { body?: unknown; token?: string | null; signal?: AbortSignal },
  ) => Promise<{ body: unknown }>;
  open: (path: string, options: { token?: string | null; signal?: AbortSignal }) => Promise<Response>;
};

/** Those of its modules that follow a thread are written for browsers, whose types Node has not; it can run them. */
type Live = {
  createClient: (base: string) => Client;
  connect: (options: {
    client: Client;
    token: string;
    thread: Thread;
    name: string;
    changed: () => void;
    setLink: (link: 'live' | 'connecting') => void;
    refused: () => void;
  }) => { stop: () => void };
};

const source = new URL('../../../packages/webchat/src/live/', import.meta.url);

const loadLive = async (): Promise<Live> => {
  const load = (file: string): Promise<unknown> => import(/* @vite-ignore */ new URL(file, source).href);
  const [client, connection] = await Promise.all([load('client.ts'), load('connection.ts')]);
  return { ...(client as Pick<Live, 'createClient'>), ...(connection as Pick<Live, 'connect'>) };
};

/** What the widget asks a webchat by. */
export const loadClient = async (base: string): Promise<Client> => (await loadLive()).createClient(base);

/** A tab of a visitor's browser. */
type WidgetTab = {
  /** The thread as the tab shows it. */
  shown: () => Message[];
  /** The messages in the order in which the tab has begun to show them. */
  appeared: () => Message[];
};

/** What the widget does in the browser of a visitor, by its own code: it sends again, reconnects, and reads what is missing. */
export type WidgetVisitor = {
  tabs: readonly WidgetTab[];
  /** Messages that the server has not acknowledged. */
  pending: Outbox['list'];
  /** Writes a message, which waits for no other one. */
  say: (text: string) => void;
  close: () => void;
};

/** A visitor of a webchat, by its id, with so many tabs of one browser. */
export const openWidget = async (
  { url }: { url: string },
  { id: channel }: { id: string },
  { tabs: count = 1 }: { tabs?: number } = {},
): Promise<WidgetVisitor> => {
  const { createClient, connect } = await loadLive();
  const client = createClient(`${url}/webchat/${channel}`);
  const ended = new AbortController();
  const store = createStore(channel, () => {
    throw new Error('there is no storage beside memory');
  });
  const tabs = Array.from({ length: count }, () => {
    const thread = createThread();
    const seen = new Map<string, Message>();
    const look = (): void => {
      for (const message of thread.messages()) if (!seen.has(message.id)) seen.set(message.id, message);
    };
    return { thread, look, shown: () => thread.messages(), appeared: () => [...seen.values()] };
  });
  const connections: { stop: () => void }[] = [];

  const follow = (token: string): void => {
    for (const { thread, look } of tabs) {
      const connection = connect({
        client,
        token,
        thread,
        name: `${channel}:${token.slice(0, 8)}`,
        changed: look,
        setLink: (link) => {
          if (link === 'live') outbox.wake();
        },
        refused: () => outbox.stop(),
      });
      connections.push(connection);
    }
  };

  const outbox = createOutbox({
    store,
    alone: (work) => work(),
    changed: () => {},
    send: async ({ clientId, text }) => {
      const token = store.get('token');
      const { body } = await client.request('POST', 'messages', {
        token,
        signal: ended.signal,
        body: { client_id: clientId, text },
      });
      const given = fieldsOf(body);
      const made = textOrNull(given['visitor_token']);
      if (made !== null && token === null) {
        store.set('token', made);
        follow(made);
      }
      const [first] = tabs;
      first?.thread.put(readMessage(given['message']));
      first?.look();
    },
  });

  return {
    tabs,
    pending: outbox.list,
    say: (text) => {
      if (!outbox.add(text)) throw new Error('too many messages wait');
    },
    close: () => {
      ended.abort();
      outbox.stop();
      for (const { stop } of connections) stop();
    },
  };
};
