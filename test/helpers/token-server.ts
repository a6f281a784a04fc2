import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createTokenMetrics } from '../../src/shared/credentials/oauth2/metrics.ts';
import { createTokens, type Tokens, type TokensDeps } from '../../src/shared/credentials/oauth2/tokens.ts';
import type { Database } from '../../src/shared/platform/db/connect.ts';
import { startReceiver, type Answer, type ReceivedRequest, type Receiver } from './receiver.ts';
import { toldTransact } from './told-topics.ts';

/** The access tokens of credentials on a database, as one process renews them. */
export const tokensOn = (
  db: Database,
  deps: Pick<TokensDeps, 'secrets' | 'egress' | 'limits'> & Partial<Pick<TokensDeps, 'metrics'>>,
): Tokens =>
  createTokens({
    transact: toldTransact(db),
    log: pino({ level: 'silent' }),
    metrics: createTokenMetrics(new Registry()),
    baseUrl: 'https://app.example',
    ...deps,
  });

/** A token endpoint, and the API that takes its tokens. Each refresh token counts once. */
export type TokenServer = Receiver & {
  /** What each exchange was asked with. */
  exchanges: URLSearchParams[];
  /** The refresh token that it takes next. */
  refreshToken: string;
  /** Ends all access tokens that it has given. */
  revokeAccess: () => void;
  /** How long its access tokens are good, in seconds; it does not say where undefined. */
  expiresIn: number | undefined;
  /** Answers exchanges in its place. */
  onExchange?: ((request: ReceivedRequest) => Answer | Promise<Answer | undefined> | undefined) | undefined;
};

const json = (status: number, body: unknown): Answer => ({
  type: 'respond',
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** `/token` gives tokens and rotates refresh tokens, every other path answers 200 to a token that is good, and 401 to others. */
export const startTokenServer = async (): Promise<TokenServer> => {
  const receiver = await startReceiver();
  let count = 0;
  let good = new Set<string>();
  const server: TokenServer = Object.assign(receiver, {
    exchanges: [] as URLSearchParams[],
    refreshToken: 'refresh-secret-0',
    revokeAccess: () => void (good = new Set()),
    expiresIn: 3_600,
  });
  server.respondWith(async (request) => {
    if (!request.path.startsWith('/token')) {
      const [, token = ''] = (request.headers.authorization ?? '').split(' ');
      return good.has(token) ? json(200, { left: 3 }) : json(401, { message: 'token is over' });
    }
    const asked = new URLSearchParams(request.rawBody.toString());
    server.exchanges.push(asked);
    const instead = await server.onExchange?.(request);
    if (instead !== undefined) return instead;
    const rotates = asked.get('grant_type') === 'refresh_token';
    if (rotates && asked.get('refresh_token') !== server.refreshToken) return json(400, { error: 'invalid_grant' });
    count += 1;
    const accessToken = `access-secret-${count}`;
    good.add(accessToken);
    if (rotates) server.refreshToken = `refresh-secret-${count}`;
    return json(200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: server.expiresIn,
      ...(rotates && { refresh_token: server.refreshToken }),
    });
  });
  return server;
};
