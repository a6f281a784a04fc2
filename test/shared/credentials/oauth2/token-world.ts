import { randomBytes } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { createCredential, getCredential, replaceCredential } from '../../../../src/shared/credentials/manage.ts';
import type { CredentialReplacement } from '../../../../src/shared/credentials/schema.ts';
import { testRequest } from '../../../../src/shared/external-requests/test-request.ts';
import { createTokenMetrics } from '../../../../src/shared/credentials/oauth2/metrics.ts';
import { tryTokenAgain } from '../../../../src/shared/credentials/oauth2/try-again.ts';
import type { TokensDeps } from '../../../../src/shared/credentials/oauth2/tokens.ts';
import type { Lookup } from '../../../../src/shared/platform/egress/lookup.ts';
import { createSecrets } from '../../../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts';
import { startTokenServer, tokensOn, type TokenServer } from '../../../helpers/token-server.ts';
import { toldTransact } from '../../../helpers/told-topics.ts';
import { untold } from '../../../helpers/untold.ts';
import { aBlock, aBlockContext } from '../../external-requests/builders.ts';
import { anEgress } from '../../platform/egress/builders.ts';

type Replacement = Extract<CredentialReplacement, { type: 'oauth2' }>;

/** The grant of a client that asks for itself. */
export const asClient = { grant_type: 'client_credentials', refresh_token: undefined } as const;

/** A token endpoint, and an account with a credential that has its tokens from there, on a database of the test file. */
export const useTokenWorld = () => {
  const key = randomBytes(32);
  const secrets = createSecrets(key);
  let database: TestDatabase;
  let accountId: string;
  let server: TokenServer;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    ({ accountId } = await anAccount({ db: database.db, secrets }));
    server = await startTokenServer();
    onTestFinished(() => server.close());
  });
  const deps = () => ({ ...untold(database.db), secrets });
  const client = (fields: Partial<Replacement> = {}): Replacement => ({
    type: 'oauth2',
    hosts: ['127.0.0.1'],
    token_url: server.url('/token'),
    grant_type: 'refresh_token',
    client_id: 'parley',
    client_secret: 'client-secret',
    auth_method: 'basic',
    refresh_token: 'refresh-secret-0',
    ...fields,
  });
  return {
    key,
    secrets,
    database: () => database,
    server: () => server,
    accountId: () => accountId,
    aCredential: (fields: Partial<Replacement> = {}) =>
      createCredential(deps(), accountId, { name: 'shop', ...client(fields) }),
    replace: (id: string, fields: Partial<Replacement> = {}) =>
      replaceCredential(deps(), { accountId, id }, client(fields)),
    stateOf: async (id: string) => (await getCredential(database.db, accountId, id)).oauth2,
    /** Has it asked again, as a user does. Answers the number of exchanges by outcome. */
    tryAgain: async (id: string) => {
      const { transact, sql } = { transact: toldTransact(database.db), sql: database.db };
      const registry = new Registry();
      const metrics = createTokenMetrics(registry);
      const tokens = tokensOn(sql, { secrets, egress: anEgress({ allow: '127.0.0.1' }), metrics });
      const { oauth2 } = await tryTokenAgain({ sql, transact, tokens }, { accountId, id });
      const counted = await registry.getSingleMetric('parley_token_renewals_total')?.get();
      return { oauth2, asked: counted?.values.map(({ labels, value }) => [labels['outcome'], value]) };
    },
    /** What one process does with requests that use the credential. */
    aProcess: ({
      allow = '127.0.0.1',
      db = database.db,
      limits = {},
      lookup,
    }: { allow?: string; db?: TestDatabase['db']; limits?: TokensDeps['limits']; lookup?: Lookup } = {}) => {
      const egress = anEgress({ allow, lookup });
      const tokens = tokensOn(db, { secrets, egress, limits });
      return async (url = server.url('/stock')) => {
        const config = aBlock({ url, credential: 'shop', timeout_ms: 20_000 });
        const context = aBlockContext();
        const tested = await testRequest({ sql: db, secrets, egress, tokens }, { accountId, config, context });
        if (tested.type !== 'made') return { type: tested.type };
        const { statusCode, reason, detail } = tested.attempt;
        return { statusCode, reason, detail, text: JSON.stringify(tested) };
      };
    },
    /** Requests that came to the API. */
    calls: () => server.requests.filter(({ path }) => path !== '/token'),
  };
};
