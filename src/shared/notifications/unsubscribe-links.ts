import { parseId, showId } from '../ids.ts';
import { createLinkSignatures } from '../platform/secrets/link-signatures.ts';
import type { Secrets } from '../platform/secrets/seal.ts';

/** Where users end their mails without signing in, below the base URL. */
export const unsubscribePath = '/unsubscribe';

/** The link of a user, a UUID, and the user of a link. A link does not expire, because mails are kept for years. */
export const createUnsubscribeLinks = (secrets: Pick<Secrets, 'keys'>, { baseUrl }: { baseUrl: string }) => {
  const { sign, isRight } = createLinkSignatures(secrets, 'unsubscribe-links');
  return {
    linkTo: (userId: string): string =>
      `${baseUrl}${unsubscribePath}/${showId('user', userId)}/${sign(showId('user', userId))}`,
    userOf: ({ user, signature }: { user: string; signature: string }): string | undefined =>
      isRight(user, signature) ? parseId('user', user) : undefined,
  };
};
