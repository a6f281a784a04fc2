import type { Opts } from '@grammyjs/types';
import { z } from 'zod';
import type { Egress, Exchange } from '../../../platform/egress/client.ts';
import type { ChannelConfig } from '../kind.ts';
import { telegramDeclaration } from './declaration.ts';

/** A bot of an account, by its whole config. */
type Bot = { accountId: string; config: ChannelConfig };

/** The parameters of each method. Files are named by their urls. */
export type Methods = Opts<string>;

type Call<Method extends keyof Methods> = {
  method: Method;
  /** A file that goes along is named by `attachedUrl`. */
  parameters: Methods[Method];
  file?: { name: string; contentType: string; bytes: Uint8Array };
  /** The time for everything, in ms. */
  timeoutMs?: number;
  maxBodyBytes?: number;
  signal?: AbortSignal;
};

/** What a call came to. */
export type BotAnswer =
  | { type: 'done'; result: unknown; status: number; durationMs: number }
  /** The Bot API has done nothing. `description` says why, in its words. */
  | {
      type: 'refused';
      status: number;
      description: string;
      /** When it may be asked again, where that is why. */
      retryAfterMs: number | undefined;
      durationMs: number;
    }
  /** A 4xx that is none of the Bot API's, as of a proxy: nothing was done, and that says nothing of bot or contact. */
  | { type: 'turned_away'; status: number; durationMs: number }
  /** Another answer that is none of the Bot API's: nobody knows whether it was done. */
  | { type: 'unclear'; status: number; durationMs: number }
  | Exclude<Exchange, { type: 'answered' }>;

/** Calls a method of the Bot API once. */
export type CallBot = <Method extends keyof Methods>(
  egress: Egress,
  bot: Bot,
  call: Call<Method>,
) => Promise<BotAnswer>;

const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error_code: z.int(),
    description: z.string().default(''),
    parameters: z.object({ retry_after: z.number().optional() }).optional(),
  }),
]);

/** The time for a call that changes or sends something, in ms: less than an attempt may take. */
const callMs = 8_000;

/** `apiUrl` is the operator's setting, as an origin. The token is a part of the path, which nothing logs. */
export const createCallBot =
  ({ apiUrl }: { apiUrl: string }): CallBot =>
  async (
    egress,
    { accountId, config },
    { method, parameters, file, timeoutMs = callMs, maxBodyBytes = 64 * 1024, signal },
  ) => {
    const { body, contentType } = file ? await asForm(parameters, file) : asJson(parameters);
    const exchange = await egress.request({
      accountId,
      url: `${apiUrl}/bot${tokenOf(config)}/${method}`,
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
      timeoutMs,
      maxBodyBytes,
      ofOperator: true,
      ...(signal && { signal }),
    });
    return exchange.type === 'answered' ? judge(exchange) : exchange;
  };

/** The part of a form that is the file, and how a parameter names it. */
const attached = 'file';
export const attachedUrl = `attach://${attached}`;

const asJson = (parameters: object) => ({
  body: Buffer.from(JSON.stringify(parameters)),
  contentType: 'application/json',
});

const asForm = async (
  parameters: object,
  { name, contentType: type, bytes }: NonNullable<Call<'sendPhoto'>['file']>,
) => {
  const form = new FormData();
  for (const [key, value] of Object.entries(parameters)) {
    form.set(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  form.set(attached, new Blob([Buffer.from(bytes)], { type }), name);
  const packed = new Response(form);
  return { body: Buffer.from(await packed.arrayBuffer()), contentType: packed.headers.get('content-type') ?? '' };
};

/** The token of a channel's bot. */
export const tokenOf = (config: ChannelConfig): string => telegramDeclaration.config.parse(config).bot_token;

/** The bot's id, with which its token begins. */
export const botIdOf = (config: ChannelConfig): string => tokenOf(config).split(':', 1).join('');

const judge = ({ status, body, durationMs }: Extract<Exchange, { type: 'answered' }>): BotAnswer => {
  const { data } = answer.safeParse(readJson(body));
  if (data?.ok) return { type: 'done', result: data.result, status, durationMs };
  if (data) {
    const seconds = data.parameters?.retry_after;
    const retryAfterMs = seconds === undefined ? undefined : seconds * 1_000;
    return { type: 'refused', status: data.error_code, description: data.description, retryAfterMs, durationMs };
  }
  const isRefused = status >= 400 && status < 500;
  return { type: isRefused ? 'turned_away' : 'unclear', status, durationMs };
};

/** Undefined for what is no JSON. */
export const readJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
};
