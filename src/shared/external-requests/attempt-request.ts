import type { OpenCredential } from '../credentials/open.ts';
import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import type { FieldsInZone } from '../flows/blocks/fields.ts';
import type { Egress } from '../platform/egress/client.ts';
import { readRetryAfter, type RequestOutcome } from './after-attempt.ts';
import { createSecretFinder } from './find-secret.ts';
import { mapHere, type MapResponse } from './map-on-thread.ts';
import { readsBody, type MappedResponse } from './map-response.ts';
import { createRedactor, type Redactor } from './redact.ts';
import type { RenderedRequest } from './render-request.ts';
import { secretsToHide } from './used-secrets.ts';
import { sendRequest, type Busy, type RequestResult } from './send-request.ts';

/** Everything that one attempt needs. */
export type AttemptToSend = {
  accountId: string;
  config: ExternalRequest;
  rendered: RenderedRequest;
  credentials: ReadonlyMap<string, OpenCredential>;
  /** The custom fields that the block may write. */
  known: FieldsInZone;
  /** Maps in this thread where it is not given. */
  mapResponse?: MapResponse | undefined;
  /** Which meaning the block has. */
  v: number;
  /** By which a date in `Retry-After` is a wait; the present moment where it is not given. */
  now?: Date | undefined;
  signal?: AbortSignal | undefined;
};

/** One attempt that was made: what came back, what it means for the block, and what its mappings come to. */
export type MadeAttempt = {
  type: 'made';
  result: RequestResult;
  outcome: RequestOutcome;
  mapped: MappedResponse;
  redactor: Redactor;
  /** Whether a text has a secret in it, also in a spelling that the redactor does not know. */
  holdsSecret: (text: string) => boolean;
};

/** Makes one attempt and maps its response, for a run and for the test of a block alike. It writes nothing. Rejects with the signal's reason. */
export const attemptRequest = async (
  egress: Pick<Egress, 'request'>,
  { accountId, config, rendered, credentials, known, v, now, mapResponse = mapHere, signal }: AttemptToSend,
): Promise<MadeAttempt | Busy> => {
  const secrets = secretsToHide(rendered, credentials);
  const shown = { redactor: createRedactor(secrets), holdsSecret: createSecretFinder(secrets) };
  const { timeout_ms: timeoutMs, follow_redirects: followRedirects } = config;
  const options = { accountId, credentials, timeoutMs, followRedirects, signal };
  const result = failIfUnread(config, await sendRequest(egress, rendered, options));
  if (result.type === 'busy') return result;
  if (result.type === 'failed')
    return { type: 'made', result, outcome: result, mapped: { ok: true, fields: [] }, ...shown };
  const { response } = result;
  const { status } = response;
  const isGood = status >= 200 && status < 300;
  const mappings = (isGood ? config.mapping : config.error_mapping) ?? [];
  const mapped = await mapResponse(accountId, { mappings, response, known, v, secrets });
  const outcome: RequestOutcome =
    isGood && !mapped.ok
      ? { type: 'failed', reason: 'mapping', requestSent: true }
      : { type: 'answered', status, retryAfterMs: readRetryAfter(response.headers['retry-after'], now ?? new Date()) };
  return { type: 'made', result, outcome, mapped, ...shown };
};

/** A body that cannot be decoded fails a request only where its mappings read it. */
const failIfUnread = ({ mapping = [] }: ExternalRequest, result: RequestResult | Busy): RequestResult | Busy => {
  if (result.type !== 'answered' || result.unreadable === undefined) return result;
  const { status } = result.response;
  if (status < 200 || status > 299 || !mapping.some(readsBody)) return result;
  return { ...result, type: 'failed', reason: 'encoding', message: result.unreadable, requestSent: true };
};
