import type { IncomingMessage, ServerResponse } from 'node:http';
import { newUuid } from '../ids.ts';
import type { Database } from '../platform/db/connect.ts';
import { withDeadline } from '../platform/deadline.ts';
import type { Logger } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { createAnswering } from './answer.ts';
import { createDirectory, type Directory } from './directory.ts';
import { createKeptRequests, type KeptRequests } from './kept-requests.ts';
import { listHeaders, readKind, readTestBody, type ReadBody } from './read-request.ts';
import type { Verification } from './schema.ts';
import { unverified, verifyRequest } from './verify-request.ts';

/** A request that cannot be verified within this time, in ms, is shown unchecked. */
const verifyMs = 2_000;

const expireEveryMs = 60_000;

/** The test endpoint as the API has it. */
export type TestEndpoint = Pick<Directory, 'read' | 'change'> & {
  requests: Pick<KeptRequests, 'list' | 'find' | 'clear'>;
};

export type RunningTestEndpoint = TestEndpoint & {
  take: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  stats: KeptRequests['stats'];
  /** Answers at once what waits to be answered. */
  stop: () => void;
};

type Deps = { db: Database; secrets: Secrets; log: Logger; origin: string };

/** Where users try webhooks and flows: it keeps what comes to an account's address, and answers what the account has typed. */
export const createTestEndpoint = ({ db, secrets, log, origin }: Deps): RunningTestEndpoint => {
  const requests = createKeptRequests();
  const directory = createDirectory({ db, origin });
  const answering = createAnswering();
  const timer = setInterval(requests.expire, expireEveryMs).unref();

  const verify = async (
    request: IncomingMessage,
    { accountId, url, body }: { accountId: string; url: string; body: ReadBody },
  ): Promise<Verification> => {
    if (!body.isWhole) return unverified('unchecked', 'The body is too large to be checked here.');
    const { headers } = request;
    const header = (name: string) => [headers[name] ?? []].flat()[0];
    const signed = {
      accountId,
      url,
      body: body.text,
      serviceSignature: header('x-service-signature'),
      standardSignature: header('webhook-signature'),
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
    };
    try {
      return await withDeadline(verifyMs, 'verifying', () => verifyRequest({ sql: db, secrets }, signed));
    } catch (error) {
      log.warn({ err: error }, 'test_endpoint.not_verified');
      return unverified('unchecked', 'The check failed.');
    }
  };

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, token = '', path = ''] = /^\/([\w-]{43})((?:[/?].*)?)$/s.exec(request.url ?? '') ?? [];
    const found = await directory.find(token);
    if (found === undefined || found === 'busy') {
      response.writeHead(found === 'busy' ? 503 : 404).end();
      return;
    }
    const body = await readTestBody(request);
    const { accountId, url, answer } = found;
    const receivedAt = new Date();
    const { challenge, ...kind } = readKind(body.text);
    const isKept = requests.admit(accountId);
    const verification =
      isKept || challenge !== undefined ? await verify(request, { accountId, url, body }) : unverified('unchecked');
    // The endpoint answers for its owner what a receiver has to, as long as its owner's status is a success.
    const returns = challenge !== undefined && verification.result === 'valid' && answer.status < 300;
    const given = returns ? { ...answer, status: 200, body: JSON.stringify({ challenge }) } : answer;
    if (isKept)
      requests.add(accountId, {
        id: newUuid(),
        receivedAt,
        method: request.method ?? '',
        path: path.slice(0, 2_000),
        ...kind,
        bodyBytes: body.bytes,
        verification,
        answeredStatus: given.status,
        headers: listHeaders(request),
        body: body.text,
        bodyTruncated: !body.isWhole,
      });
    await answering.answer(response, accountId, given);
  };

  return {
    requests,
    stats: requests.stats,
    read: directory.read,
    change: directory.change,
    take: (request, response) =>
      take(request, response).catch((error: unknown) => {
        log.debug({ err: error }, 'test_endpoint.broken_off');
        response.destroy();
      }),
    stop: () => {
      clearInterval(timer);
      answering.stop();
    },
  };
};
