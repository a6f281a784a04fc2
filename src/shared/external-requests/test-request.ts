import type { Tokens } from '../credentials/oauth2/tokens.ts';
import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import { fieldsOf } from '../flows/blocks/fields.ts';
import { scopeOf } from '../flows/blocks/scope.ts';
import type { BlockContext } from '../flows/blocks/context.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Egress } from '../platform/egress/client.ts';
import { createToken } from '../platform/secrets/tokens.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { afterAttempt, type AfterAttempt } from './after-attempt.ts';
import { attemptRequest, type MadeAttempt } from './attempt-request.ts';
import type { JudgeResponse } from './judge-on-thread.ts';
import { withTokens } from './open-with-tokens.ts';
import { renderFirst } from './render-first.ts';
import { credentialsOf, type RequestProblem } from './render-request.ts';
import { fieldsOfItem } from './results.ts';
import { redactHere, type RedactBody } from './redact-on-thread.ts';
import { decode } from './response-source.ts';
import { showAttempt, type ShownAttempt } from './show-attempt.ts';
import { secretsToHide } from './used-secrets.ts';

type TestDeps = {
  sql: Sql;
  secrets: Secrets;
  tokens: Tokens;
  egress: Egress;
  judgeResponse?: JudgeResponse;
  redactBody?: RedactBody;
};

/** What a test of a block shows: the attempt as it would be kept, and what would follow it; or why nothing could be sent. */
export type TestedRequest =
  | { type: 'made'; attempt: ShownAttempt; after: AfterAttempt }
  | { type: 'unrendered'; problem: RequestProblem }
  | { type: 'busy' };

/**
 * Makes the request of a block once, as a run in this context would, with `for_each` for the first item. It writes nothing; nothing that it shows
 * has a secret in it.
 */
export const testRequest = async (
  { sql, secrets, tokens, egress, judgeResponse, redactBody = redactHere }: TestDeps,
  { accountId, config, context }: { accountId: string; config: ExternalRequest; context: BlockContext },
): Promise<TestedRequest> => {
  const result = renderFirst(config, {
    scope: scopeOf(context),
    v: context.v,
    idempotencyKey: `test:${config.id}:${createToken('')}`,
    nonce: createToken(''),
  });
  if (!result.ok) return { type: 'unrendered', problem: result.problem };
  const rendered = result.request;
  const known = result.item ? fieldsOfItem(fieldsOf(context)) : fieldsOf(context);
  const toSend = { accountId, config, rendered, judgeResponse, known, v: context.v };
  const used = new Set<string>();
  const made = await withTokens(
    { sql, secrets, tokens },
    { accountId, names: credentialsOf(rendered) },
    (credentials) => {
      for (const secret of secretsToHide(rendered, credentials)) used.add(secret);
      return attemptRequest(egress, { ...toSend, credentials });
    },
  );
  if (made.type === 'busy') return made;
  const attempt = showAttempt(rendered, made);
  const whole = await redactWhole(made, (text) => redactBody(accountId, { text, secrets: [...used] }));
  return {
    type: 'made',
    attempt: whole === undefined ? attempt : { ...attempt, responseBody: whole, responseTruncated: false },
    after: afterAttempt(config, 1, made.outcome),
  };
};

/** All of a response that came whole: who tests a block maps what is in it, and so sees all that a run would read. */
const redactWhole = async (
  { result }: MadeAttempt,
  redact: (text: string) => Promise<string | undefined>,
): Promise<string | undefined> => {
  if (result.type !== 'answered') return undefined;
  const { body, headers } = result.response;
  return redact(decode(body, headers['content-type']));
};
