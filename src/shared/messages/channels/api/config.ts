import type { Problem } from '../../../errors.ts';
import type { Egress } from '../../../platform/egress/client.ts';
import type { Secrets } from '../../../platform/secrets/seal.ts';
import { createSigningSecret } from '../../../signing/create-secret.ts';
import { sealPrevious } from '../../../signing/secrets.ts';
import { findUrlProblems, findUrlProblemsOfBody } from '../../../signing/url.ts';
import type { ChannelKind } from '../kind.ts';
import { apiDeclaration } from './declaration.ts';

const path = 'callback_url';

export const apiChecks: NonNullable<ChannelKind['checks']> = {
  findProblems: async ({ egress }: { egress: Egress }, accountId, { callback_url: url }): Promise<Problem[]> =>
    typeof url === 'string' ? findUrlProblems(egress, { accountId, url, path }) : [],
  findProblemsOfBody: ({ egress }, accountId, given) => findUrlProblemsOfBody(egress, { accountId, ...given, path }),
};

/**
 * Url and secret have columns of their own (docs/decisions/0027): the replaced secret signs for a day, by the database's clock. A channel that
 * gets its first url gets a secret, too.
 */
export const storeApiConfig: NonNullable<ChannelKind['store']> = (secrets, place, { config, present }) => {
  const { callback_url: callbackUrl, secret: given } = apiDeclaration.config.parse(config);
  const replaced = present?.secret ?? null;
  const made = given === undefined && replaced === null && typeof callbackUrl === 'string';
  const next = made ? createSigningSecret() : given;
  const secret = next === undefined ? undefined : sealNext(secrets, place, { replaced, next });
  return {
    change: { ...(callbackUrl !== undefined && { callbackUrl }), ...(secret && { secret }) },
    made: made ? next : undefined,
  };
};

/** The new secret with the one that it replaces. Undefined when they are the same. */
const sealNext = (
  secrets: Secrets,
  place: { accountId: string; rowId: string },
  { replaced, next }: { replaced: Uint8Array | null; next: string },
) => {
  const previous = replaced === null ? null : sealPrevious(secrets, place, { replaced, next });
  return previous === undefined ? undefined : { secret: secrets.seal(next, place), previous };
};
