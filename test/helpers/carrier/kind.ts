import { z } from 'zod';
import type {
  ChannelConfig,
  ChannelKind,
  Connection,
  PublicInbound,
  SendOutcome,
} from '../../../src/shared/messages/channels/kind.ts';
import { openConfig } from '../../../src/shared/messages/channels/stored-config.ts';
import type { Egress, Exchange } from '../../../src/shared/platform/egress/client.ts';
import { equalSecrets } from '../../../src/shared/platform/secrets/tokens.ts';
import { carrierDeclaration } from './declaration.ts';

type Asked = { accountId: string; config: ChannelConfig; path: string; method?: string; body?: object };

const ask = async (
  egress: Egress,
  { accountId, config, path, method = 'POST', body = {} }: Asked,
): Promise<Exchange> => {
  const { carrier_url: url, token } = carrierDeclaration.config.parse(config);
  return egress.request({
    accountId,
    url: `${url}${path}`,
    method,
    headers: { authorization: token, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
    timeoutMs: 5_000,
    maxBodyBytes: 1_024,
  });
};

const refused = { type: 'refused', problems: [{ path: 'token', message: 'is refused by the carrier' }] } as const;

const connection: Connection = {
  isSentTo: true,
  identify: async ({ egress }, { accountId, config }) => {
    const answer = await ask(egress, { accountId, config, path: '/me' });
    if (answer.type !== 'answered') return { type: 'unreachable' };
    if (answer.status !== 200) return refused;
    return { type: 'known', ref: z.object({ account: z.string() }).parse(readJson(answer.body)).account };
  },
  connect: async ({ egress }, { channel, url }) => {
    const answer = await ask(egress, { ...channel, path: '/hook', body: { url } });
    if (answer.type !== 'answered') return { type: 'unreachable' };
    return answer.status === 200 ? { type: 'connected' } : refused;
  },
  disconnect: async ({ egress }, channel) => {
    const answer = await ask(egress, { ...channel, path: '/hook', method: 'DELETE' });
    if (answer.type !== 'answered' || answer.status !== 200) throw new Error('the carrier keeps the channel');
  },
};

const toldBody = z.object({
  messages: z.array(z.object({ id: z.string(), from: z.string(), text: z.unknown() })).default([]),
  read: z.array(z.string()).default([]),
});

const inbound: PublicInbound = {
  bodyBytes: 16 * 1024,
  proof: 'x-carrier-token',
  proves: ({ config }, { headers }) =>
    equalSecrets(carrierDeclaration.config.parse(config).token, String(headers['x-carrier-token'])),
  read: (_channel, { body }) => {
    const { data } = toldBody.safeParse(readJson(body));
    return (
      data && [
        ...data.messages.map(({ id, from, text }) => ({
          type: 'message' as const,
          message: { message_id: id, sender: { external_id: from }, text },
        })),
        ...data.read.map((ref) => ({ type: 'read' as const, ref })),
      ]
    );
  },
};

/** A kind of channel that has all that a kind can have. Tests give it to the product beside its own. */
export const carrier: ChannelKind = {
  declaration: carrierDeclaration,
  connection,
  inbound,
  repeatable: false,
  send: async ({ egress, secrets }, { channel, message }) => {
    const { accountId, id: rowId } = channel;
    const config = openConfig(secrets, { accountId, rowId }, channel);
    const { signature = '' } = carrierDeclaration.config.parse(config);
    const body = { to: message.senderExternalId, text: `${message.text}${signature}` };
    return judge(await ask(egress, { accountId, config, path: '/send', body }));
  },
};

const judge = (exchange: Exchange): SendOutcome => {
  if (exchange.type === 'busy') return { type: 'later', retryAfterMs: 1_000 };
  const durationMs = Math.round(exchange.durationMs);
  if (exchange.type === 'failed') {
    const { reason, requestSent } = exchange;
    return requestSent
      ? { type: 'unanswered', reason, durationMs }
      : { type: 'refused', permanent: false, reason, durationMs };
  }
  const { status: statusCode, headers, body } = exchange;
  if (statusCode === 200)
    return { type: 'sent', ref: z.object({ ref: z.string() }).parse(readJson(body)).ref, durationMs };
  if (statusCode === 429) return { type: 'later', retryAfterMs: Number(headers['retry-after']) * 1_000 };
  const met = { reason: 'status', statusCode, durationMs } as const;
  return { type: 'refused', permanent: [400, 403].includes(statusCode), blocksContact: statusCode === 403, ...met };
};

/** Undefined for what is no JSON. */
const readJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(String(Buffer.from(body)));
  } catch {
    return undefined;
  }
};
