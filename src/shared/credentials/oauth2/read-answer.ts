import { z } from 'zod';

/** What a token endpoint answered. `refused`: asking again is of no use; `code` is an error of OAuth 2.0, or the status. */
export type TokenAnswer =
  | { type: 'token'; accessToken: string; refreshToken: string | undefined; lifeMs: number }
  | { type: 'refused'; code: string }
  | { type: 'failed'; code: string };

/** How long a token is good where the answer does not say, in ms. A 401 ends it sooner. */
const usualLifeMs = 3_600_000;

/** The longest life that is believed, in ms. */
const longestLifeMs = 365 * 86_400_000;

/** What a header can carry. */
const token = z
  .string()
  .max(16_384)
  .regex(/^[\x21-\x7e]+$/);

const answer = z.object({
  access_token: token,
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .nullish(),
  expires_in: z.coerce.number().positive().nullish().catch(null),
  refresh_token: z.string().min(1).max(16_384).nullish(),
});

const refusal = z.object({ error: z.string() });

/** The errors that are told on: an unknown text could repeat a secret. */
const knownErrors: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
]);

/** Reads the answer of a token endpoint (RFC 6749, 5). Some tell an error by status 200. */
export const readTokenAnswer = (status: number, body: string): TokenAnswer => {
  const json = parse(body);
  const isGood = status >= 200 && status < 300;
  const read = isGood ? answer.safeParse(json) : undefined;
  if (read?.success) {
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = read.data;
    const lifeMs = Math.min((seconds ?? usualLifeMs / 1_000) * 1_000, longestLifeMs);
    return { type: 'token', accessToken, refreshToken: refreshToken ?? undefined, lifeMs };
  }
  const { error } = refusal.safeParse(json).data ?? {};
  const isKnown = error !== undefined && knownErrors.has(error);
  const isRefused = status === 400 || status === 401 || (isGood ? error !== undefined : isKnown && status < 429);
  const code = isKnown ? error : isGood && !isRefused ? 'invalid_answer' : `status_${status}`;
  return { type: isRefused ? 'refused' : 'failed', code };
};

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};
