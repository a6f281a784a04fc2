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
import { attemptRequest } from './attempt-request.ts';
import type { JudgeResponse } from './judge-on-thread.ts';
import { withTokens } from './open-with-tokens.ts';
import { renderFirst } from './render-first.ts';
import { credentialsOf, type RequestProblem } from './render-request.ts';
import { fieldsOfItem } from './results.ts';
import { showAttempt, type ShownAttempt } from './show-attempt.ts';

type TestDeps = { sql: Sql; secrets: Secrets; tokens: Tokens; egress: Egress; judgeResponse?: JudgeResponse };

/** Who tests a block maps what is in the response, and so sees all that a run would read. */
const shownLength = 1_048_576;

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
  { sql, secrets, tokens, egress, judgeResponse }: TestDeps,
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
  const made = await withTokens(
    { sql, secrets, tokens },
    { accountId, names: credentialsOf(rendered) },
    (credentials) => attemptRequest(egress, { ...toSend, credentials }),
  );
  if (made.type === 'busy') return made;
  return {
    type: 'made',
    attempt: showAttempt(rendered, made, shownLength),
    after: afterAttempt(config, 1, made.outcome),
  };
};
