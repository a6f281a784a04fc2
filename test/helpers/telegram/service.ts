import { startReceiver, type Answer, type ReceivedRequest } from '../receiver.ts';
import { createBot, type Bot } from './bots.ts';
import { call, type Answered } from './methods.ts';

/** What happens to a call instead of its answer. */
export type Fault =
  /** Nothing is done. */
  | { type: 'refused'; status: number; description?: string; retryAfter?: number }
  /** It is done, and the answer is lost. */
  | { type: 'lost' }
  /** It is done, and answered late. */
  | { type: 'slow'; ms: number }
  /** It is done, and answered after that. */
  | { type: 'after'; wait: () => Promise<void> }
  /** Nothing is done, and a proxy answers. */
  | { type: 'proxy'; status: number };

/** A call of a method: whose, and by which parameters. */
type BotCall = { bot: Bot; method: string; parameters: Record<string, unknown> };

export type TelegramService = {
  /** The origin of its Bot API. */
  url: string;
  addBot: (token?: string) => Bot;
  /** The bot's token is another from now on: the one before is refused. */
  renewToken: (bot: Bot) => string;
  /** Decides what happens to each call from now on. */
  failBy: (decide: (call: BotCall) => Fault | undefined) => void;
  /** The calls so far, without those that wait for updates. */
  calls: () => BotCall[];
  close: () => Promise<void>;
};

const path = /^\/bot(?<token>[^/]+)\/(?<method>\w+)$/;
const filePath = /^\/file\/bot(?<token>[^/]+)\/files\/(?<file>.+)$/;

/** A double of Telegram's documented Bot API, on loopback. */
export const startTelegram = async (): Promise<TelegramService> => {
  const bots = new Map<string, Bot>();
  const calls: BotCall[] = [];
  let decide: (call: BotCall) => Fault | undefined = () => undefined;

  const respond = async ({ path: asked, rawBody, headers }: ReceivedRequest): Promise<Answer> => {
    const { token = '', method = 'file' } = path.exec(asked)?.groups ?? filePath.exec(asked)?.groups ?? {};
    const bot = bots.get(token);
    if (!bot) return answer({ error: 401, description: 'Unauthorized' });
    const parameters = await parametersOf(rawBody, headers['content-type'] ?? '');
    const made = { bot, method, parameters };
    if (method !== 'getUpdates') calls.push(made);
    const fault = decide(made);
    if (fault?.type === 'refused') {
      const { status, description = 'refused', retryAfter } = fault;
      return answer({ error: status, description, ...(retryAfter !== undefined && { retryAfter }) });
    }
    if (fault?.type === 'proxy') return { type: 'respond', status: fault.status, body: '<html>Bad gateway</html>' };
    const file = filePath.exec(asked)?.groups?.['file'];
    const answered = file === undefined ? answer(await call(bot, method, parameters)) : contentOf(bot, file);
    if (method === 'getUpdates') bot.isAskedAgain = fault?.type === 'lost';
    if (fault?.type === 'lost') return { type: 'close' };
    if (fault?.type === 'after') await fault.wait();
    return fault?.type === 'slow' ? { ...answered, delayMs: fault.ms } : answered;
  };

  const receiver = await startReceiver({ plain: true, respond });
  return {
    url: receiver.url('').replace(/\/$/, ''),
    addBot: (token) => {
      const bot = createBot(token);
      bots.set(bot.token, bot);
      return bot;
    },
    renewToken: (bot) => {
      bots.delete(bot.token);
      bot.token = createBot().token.replace(/^\d+/, String(bot.id));
      bots.set(bot.token, bot);
      return bot.token;
    },
    failBy: (next) => {
      decide = next;
    },
    calls: () => [...calls],
    close: async () => {
      for (const bot of bots.values()) bot.wake('nothing');
      await receiver.close();
    },
  };
};

type Responds = Extract<Answer, { type: 'respond' }>;

/** Those of JSON, or of a form: with the file that a parameter names in its place. */
const parametersOf = async (rawBody: Buffer, contentType: string): Promise<Record<string, unknown>> => {
  if (!contentType.startsWith('multipart/')) return JSON.parse(String(rawBody) || '{}');
  const form = await new Response(new Uint8Array(rawBody), { headers: { 'content-type': contentType } }).formData();
  const parameters: Record<string, unknown> = {};
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue;
    const file = form.get(value.replace(/^attach:\/\//, ''));
    parameters[name] =
      file instanceof File
        ? { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) }
        : name === 'reply_markup'
          ? JSON.parse(value)
          : value;
  }
  return parameters;
};

const contentOf = ({ files }: Bot, id: string): Responds => {
  const body = files.get(id);
  return body ? { type: 'respond', status: 200, body } : { type: 'respond', status: 404, body: 'Not Found' };
};

const answer = (answered: Answered): Responds => {
  const headers = { 'content-type': 'application/json' };
  if ('result' in answered) {
    return { type: 'respond', status: 200, headers, body: JSON.stringify({ ok: true, result: answered.result }) };
  }
  const { error, description, retryAfter } = answered;
  const parameters = retryAfter === undefined ? undefined : { retry_after: retryAfter };
  return {
    type: 'respond',
    status: error,
    headers,
    body: JSON.stringify({ ok: false, error_code: error, description, parameters }),
  };
};
