import { RequestError } from '../../shared/errors.ts';
import { whyRefused } from '../../shared/messages/webchat/identity.ts';
import { identifyBody } from '../../shared/messages/webchat/schema.ts';
import { identifyVisitor } from '../../shared/messages/webchat/visitors.ts';
import { openWithPrevious } from '../../shared/signing/secrets.ts';
import type { ApiContext, ApiDeps } from '../http.ts';
import { visitBody, type Visit } from './visits.ts';

/** The largest body, in bytes. */
const identityBody = 8 * 1024;

const refused = {
  hash: 'The hash is not that of external_id and expires_at by the identity secret of this channel.',
  email_hash: 'The email_hash is not that of external_id, expires_at and email by the identity secret of this channel.',
  expired: 'The identity has expired. Ask your server for a new hash.',
  far: 'The identity expires more than 24 hours from now. Choose an earlier expires_at.',
};

/**
 * Answers the token of the person whom the account's server has named. Another person than before gets another token: nothing of the two is
 * merged. Throws `forbidden` for a hash that does not hold.
 */
export const identify = async (
  ctx: ApiContext,
  { transact, secrets }: ApiDeps,
  { channel, token, visitor, keepUnproven }: Visit,
): Promise<{ visitor_token: string }> => {
  const identity = await visitBody(ctx, identifyBody, identityBody);
  const { id: channelId, accountId, secret: sealed, previousSecret: previous } = channel;
  const opened = openWithPrevious(secrets, { accountId, rowId: channelId }, { sealed, previous });
  const why = whyRefused(opened, identity, Date.now());
  if (why) {
    keepUnproven();
    throw new RequestError('forbidden', refused[why]);
  }
  const { external_id: identifiedAs, name, email, email_hash: emailHash } = identity;
  const provenEmail = email && emailHash ? email : undefined;
  const profile = { ...(name && { name }), ...(email && { email }) };
  const person = { accountId, channelId, identifiedAs, profile, provenEmail };
  const has = visitor && token !== undefined ? { visitorId: visitor.id, token } : undefined;
  const begun = await transact(({ sql }) => identifyVisitor(sql, { ...person, has }));
  return { visitor_token: begun.token };
};
