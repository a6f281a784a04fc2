import type { OpenCredential } from '../credentials/open.ts';
import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import type { FieldsInZone } from '../flows/blocks/fields.ts';
import type { Egress } from '../platform/egress/client.ts';
import { readRetryAfter, type RequestOutcome } from './after-attempt.ts';
import { createSecretFinder } from './find-secret.ts';
import { isGoodStatus } from './judge-response.ts';
import { judgeHere, type JudgeResponse } from './judge-on-thread.ts';
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
  /** Judges in this thread where it is not given. */
  judgeResponse?: JudgeResponse | undefined;
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
  /** Which rule of the block has not held, where rules decide. */
  unmet?: string | undefined;
  redactor: Redactor;
  /** Whether a text has a secret in it, also in a spelling that the redactor does not know. */
  holdsSecret: (text: string) => boolean;
};

/** Makes one attempt and maps its response, for a run and for the test of a block alike. It writes nothing. Rejects with the signal's reason. */
export const attemptRequest = async (
  egress: Pick<Egress, 'request'>,
  { accountId, config, rendered, credentials, known, v, now, judgeResponse = judgeHere, signal }: AttemptToSend,
): Promise<MadeAttempt | Busy> => {
  const secrets = secretsToHide(rendered, credentials);
  const shown = { redactor: createRedactor(secrets), holdsSecret: createSecretFinder(secrets) };
  const { timeout_ms: timeoutMs, follow_redirects: followRedirects } = config;
  const options = { accountId, credentials, timeoutMs, followRedirects, signal };
  const result = await sendRequest(egress, rendered, options);
  if (result.type === 'busy') return result;
  const failed = (result: FailedResult): MadeAttempt => {
    const mapped = { ok: true, fields: [] };
    return { type: 'made', result, outcome: result, mapped, ...shown };
  };
  if (result.type === 'failed') return failed(result);
  const { response, unreadable } = result;
  if (unreadable !== undefined && config.success_when?.rules.some(readsBody)) return failed(unread(result, unreadable));
  const { isSuccess, unmet, mapped } = await judgeResponse(accountId, { config, response, known, v, secrets });
  if (unreadable !== undefined && isSuccess && config.mapping?.some(readsBody))
    return failed(unread(result, unreadable));
  const made = { type: 'made', result, mapped, unmet: unmet?.detail, ...shown } as const;
  if (isSuccess && !mapped.ok) return { ...made, outcome: { type: 'failed', reason: 'mapping', requestSent: true } };
  const { status, headers } = response;
  const retryAfterMs = readRetryAfter(headers['retry-after'], now ?? new Date());
  // A status that is no success says more than a rule.
  const reason = unmet && isGoodStatus(status) ? unmet.reason : undefined;
  return { ...made, outcome: { type: 'answered', status, isSuccess, reason, retryAfterMs } };
};

type FailedResult = Extract<RequestResult, { type: 'failed' }>;

/** A body that cannot be decoded fails a request only where its rules, or the mappings of a success, read it. */
const unread = (result: RequestResult, message: string): FailedResult => ({
  ...result,
  type: 'failed',
  reason: 'encoding',
  message,
  requestSent: true,
});
