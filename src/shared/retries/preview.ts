import { openCredentials } from '../credentials/open.ts';
import { createSecretFinder } from '../external-requests/find-secret.ts';
import { createRedactor } from '../external-requests/redact.ts';
import { renderFirst } from '../external-requests/render-first.ts';
import { credentialsOf } from '../external-requests/render-request.ts';
import { showRendered, showUnrendered } from '../external-requests/show-attempt.ts';
import { secretsToHide } from '../external-requests/used-secrets.ts';
import { isExternalRequest } from '../flows/blocks/external-request.ts';
import { scopeOf } from '../flows/blocks/scope.ts';
import { showId } from '../ids.ts';
import type { LinkTo } from '../media/schema.ts';
import type { Sql } from '../platform/db/connect.ts';
import { createToken } from '../platform/secrets/tokens.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { peekSnapshot } from '../runs/engine/read-snapshot.ts';
import type { ReadVersion } from '../runs/engine/versions.ts';
import { withFiles } from '../runs/engine/with-files.ts';
import { listFailed } from './failed-runs.ts';
import type { NewRetryRow } from './queries.ts';

/** So many requests are rendered: enough to see whether the fix is one. */
const renderedAtMost = 5;

/** A request that a run would send; ids are UUIDs. */
export type PreviewedRequest = {
  runId: string;
  contactId: string;
  method: string;
  url: string;
  idempotencyKey: string;
  /** The credential that goes along, by its name. */
  credential: string | null;
  requestHeaders: Record<string, string>;
  requestBody: string | null;
  /** For how many items the request is made, one after the other, beginning with the one that is shown; null for a block without a list. */
  items: number | null;
  /** Why it could not be sent. */
  problem: string | null;
};

type Deps = { sql: Sql; secrets: Secrets; readVersion: ReadVersion; lastingLinkTo: LinkTo };

/**
 * The requests that the first runs of a retry would send, rendered by its version for their contacts. A list begins again with its first item, because
 * the block is entered once more. Nothing is sent or written, and no secret is shown. Undefined for a block that makes none.
 */
export const previewRequests = async (
  { sql, secrets, readVersion, lastingLinkTo }: Deps,
  { version, ...filter }: NewRetryRow,
): Promise<PreviewedRequest[] | undefined> => {
  const { accountId, flowId, blockId } = filter;
  const { config, v } = (await readVersion(sql, { flowId, version })).plan.get(blockId);
  if (!isExternalRequest(config)) return undefined;
  const first = await listFailed(sql, { ...filter, before: null }, { after: null, limit: renderedAtMost });
  const previewed: PreviewedRequest[] = [];
  for (const { id: runId, contactId } of first) {
    const snapshot = await peekSnapshot(sql, { accountId, runId, version: { flowId, version } }, readVersion);
    if (!snapshot) continue;
    const { run, context } = await withFiles(sql, snapshot, { lastingLinkTo });
    const visit = context.step.visit + (run.reason === 'outcome_unknown' ? 0 : 1);
    const ofVisit = `${showId('run', runId)}:${blockId}:${visit}`;
    const options = { scope: scopeOf(context), v, idempotencyKey: ofVisit, nonce: createToken('') };
    const { idempotencyKey, items = null, ...result } = renderFirst(config, options);
    const known = { runId, contactId, idempotencyKey, items, credential: config.credential ?? null };
    if (!result.ok) {
      const { detail, ...unsent } = showUnrendered(config, result.problem);
      previewed.push({ ...known, ...asShown(unsent), problem: detail });
      continue;
    }
    const credentials = await openCredentials({ sql, secrets }, accountId, credentialsOf(result.request));
    const hidden = secretsToHide(result.request, credentials);
    const hiding = { redactor: createRedactor(hidden), holdsSecret: createSecretFinder(hidden) };
    previewed.push({ ...known, ...asShown(showRendered(result.request, hiding)), problem: null });
  }
  return previewed;
};

type Shown = Pick<PreviewedRequest, 'method' | 'url' | 'requestHeaders' | 'requestBody'>;

const asShown = ({ method, url, requestHeaders, requestBody }: Shown): Shown => ({
  method,
  url,
  requestHeaders,
  requestBody,
});
