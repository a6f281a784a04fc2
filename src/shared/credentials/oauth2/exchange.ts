import type { Egress } from '../../platform/egress/client.ts';
import { acceptEncoding, decompress } from '../../platform/egress/decompress.ts';
import { readTokenAnswer, type TokenAnswer } from './read-answer.ts';
import type { OpenClient } from './rows.ts';

/** The largest answer that is read, in bytes, as it comes and as it is decoded. */
const maxAnswerBytes = 65_536;

/** What asking for a token came to. `busy`: nobody was asked. `inDoubt`: the endpoint may have carried it out all the same. */
export type Exchanged = TokenAnswer | { type: 'failed'; code: string; inDoubt: boolean } | { type: 'busy' };

/** Asks a token endpoint for an access token, once, behind the same guard as every request. It follows no redirect. */
export const exchangeToken = async (
  egress: Pick<Egress, 'request'>,
  accountId: string,
  { client, timeoutMs }: { client: OpenClient; timeoutMs: number },
): Promise<Exchanged> => {
  const { headers, body } = tokenRequest(client);
  const url = new URL(client.tokenUrl);
  const exchange = await egress.request({
    accountId,
    url: url.href,
    method: 'POST',
    headers: { ...headers, 'accept-encoding': acceptEncoding },
    body: new TextEncoder().encode(body),
    timeoutMs,
    maxBodyBytes: maxAnswerBytes,
    privateOnly: url.protocol === 'http:',
  });
  if (exchange.type === 'busy') return { type: 'busy' };
  if (exchange.type === 'failed') return { type: 'failed', code: exchange.reason, inDoubt: exchange.requestSent };
  const { status, truncatedBy } = exchange;
  if (truncatedBy) return { type: 'failed', code: truncatedBy === 'size' ? 'too_large' : truncatedBy, inDoubt: true };
  const encoding = [exchange.headers['content-encoding'] ?? []].flat().join(', ');
  const decoded = await decompress(exchange.body, { encoding, maxBytes: maxAnswerBytes });
  if (!decoded.ok) return { type: 'failed', code: 'encoding', inDoubt: true };
  const answer = readTokenAnswer(status, new TextDecoder().decode(decoded.body));
  return answer.type === 'failed' ? { ...answer, inDoubt: status < 300 || status >= 500 } : answer;
};

/** RFC 6749: 4.4.2 and 6 say what is sent, 2.3.1 how the client authenticates. */
const tokenRequest = (client: OpenClient): { headers: Record<string, string>; body: string } => {
  const { clientId, clientSecret, authMethod, grantType, refreshToken, scope, audience } = client;
  const fields = [
    ['grant_type', grantType],
    ['refresh_token', refreshToken],
    ['scope', scope],
    ['audience', audience],
    ...(authMethod === 'body'
      ? ([
          ['client_id', clientId],
          ['client_secret', clientSecret],
        ] as const)
      : []),
  ] as const;
  const body = new URLSearchParams();
  for (const [name, value] of fields) if (value !== null) body.append(name, value);
  const basic = `${encodeForm(clientId)}:${encodeForm(clientSecret)}`;
  return {
    headers: {
      'user-agent': 'Parley (flows)',
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(authMethod === 'basic' && { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
    },
    body: body.toString(),
  };
};

const encodeForm = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
