import { parseId, showId } from '../ids.ts';
import { visitorNoun } from '../messages/webchat/visitors.ts';
import { createLinkSignatures } from '../platform/secrets/link-signatures.ts';
import type { Secrets } from '../platform/secrets/seal.ts';

/** Where readers end their mails without signing in, below the base URL. */
export const unsubscribePath = '/unsubscribe';

/** Whose mails they are; UUIDs. */
export type Reader = { userId: string } | { visitorId: string };

/** The link of a reader, and the reader of a link. A link does not expire, because mails are kept for years. */
export const createUnsubscribeLinks = (secrets: Pick<Secrets, 'keys'>, { baseUrl }: { baseUrl: string }) => {
  const { sign, isRight } = createLinkSignatures(secrets, 'unsubscribe-links');
  return {
    linkTo: (reader: Reader): string => {
      const id = 'userId' in reader ? showId('user', reader.userId) : showId(visitorNoun, reader.visitorId);
      return `${baseUrl}${unsubscribePath}/${id}/${sign(id)}`;
    },
    readerOf: ({ id, signature }: { id: string; signature: string }): Reader | undefined => {
      if (!isRight(id, signature)) return undefined;
      const userId = parseId('user', id);
      const visitorId = parseId(visitorNoun, id);
      if (userId !== undefined) return { userId };
      return visitorId === undefined ? undefined : { visitorId };
    },
  };
};
