import { found, RequestError } from '../../shared/errors.ts';
import { parseId, showId } from '../../shared/ids.ts';
import { mediaNoun } from '../../shared/media/schema.ts';
import type { Received } from '../../shared/messages/inbound/message.ts';
import { receiveChoice } from '../../shared/messages/inbound/receive-choice.ts';
import { receiveMessage } from '../../shared/messages/inbound/receive-told.ts';
import { inboundBody, type InboundMessage } from '../../shared/messages/inbound/schema.ts';
import { findMessage } from '../../shared/messages/queries.ts';
import type { Visitor } from '../../shared/messages/webchat/find-visit.ts';
import { visitorMessage, type VisitorMessage } from '../../shared/messages/webchat/schema.ts';
import { messageIdOf, showMessages, type ShownMessage } from '../../shared/messages/webchat/show-thread.ts';
import { beginVisitor, notePage, type BegunVisitor } from '../../shared/messages/webchat/visitors.ts';
import type { ApiContext, ApiDeps } from '../http.ts';
import { requireOwnFiles } from './upload.ts';
import { requireIdentified, visitBody, type Visit, type VisitDeps } from './visits.ts';

/** The largest body of a message, in bytes: each of its characters may be escaped. */
const messageBody = 80 * 1024;

type Answer = { visitor_token?: string; message: ShownMessage; revision: number };

/**
 * Takes a message of a visitor; who has no token becomes one, with the contact that the message makes. The same `client_id` again is answered with
 * the message that is there. Throws as `visiting` does, and `invalid_request` for a quick reply of a question that is over.
 */
export const receiveVisitorMessage = async (
  ctx: ApiContext,
  { deps, limits }: VisitDeps,
  { channel, network, visitor }: Visit,
): Promise<Answer & { isNew: boolean }> => {
  requireIdentified(channel, visitor);
  const given = await visitBody(ctx, visitorMessage, messageBody);
  const { accountId, id: channelId } = channel;
  // Nobody has asked a stranger anything.
  if (given.choice && !visitor) throw questionIsOver();
  await requireOwnFiles(deps.db, channel, { visitorId: visitor?.id, files: given.attachments });
  limits.takeMessage(ctx, { channelId, network, visitorId: visitor?.id });
  const begun = visitor ? undefined : await begin(deps, { accountId, channelId, firstRef: given.client_id });
  const { id: visitorId, externalId } = found('visitor', visitor ?? begun);
  const sender = { external_id: externalId, ...senderFields(given, visitor) };
  const message = inboundBody.parse({
    message_id: messageIdOf(externalId, given.client_id),
    sender,
    text: given.text,
    attachments: given.attachments?.map(({ media_id: file }) => ({ media_id: showId(mediaNoun, file) })),
  });
  const received = await receiveGiven(deps, { accountId, channelId }, { message, choice: given.choice });
  const { url, referrer, title } = given.context ?? {};
  const page = Object.entries({ url, referrer, title }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  if (page.length > 0) await deps.autocommit(({ sql }) => notePage(sql, visitorId, Object.fromEntries(page)));
  const stored = found('message', await findMessage(deps.db, accountId, received.messageId));
  deps.visitorStreams.noteConversation(visitorId, stored.conversationId);
  const [shown] = await showMessages(deps.db, [stored], deps.media.linkTo);
  return {
    ...(begun && { visitor_token: begun.token }),
    message: found('message', shown),
    revision: stored.revision,
    isNew: !received.duplicate,
  };
};

const receiveGiven = async (
  deps: ApiDeps,
  over: { accountId: string; channelId: string },
  { message, choice }: { message: InboundMessage; choice: VisitorMessage['choice'] },
): Promise<Received> => {
  if (!choice) return receiveMessage(deps, over, message);
  const messageId = parseId('message', choice.message_id);
  const chosen = messageId && {
    message_id: message.message_id,
    messageId,
    index: choice.index,
    sender: message.sender,
  };
  const received = chosen && (await receiveChoice(deps, over, chosen));
  if (!received) throw questionIsOver();
  return received;
};

const questionIsOver = () =>
  new RequestError('invalid_request', 'This question is over.', {
    details: [{ path: 'choice', message: 'belongs to a question that is over' }],
  });

const begin = async ({ transact }: ApiDeps, asked: Parameters<typeof beginVisitor>[1]): Promise<BegunVisitor> => {
  const begun = await transact(({ sql }) => beginVisitor(sql, asked));
  if (!begun) throw new RequestError('conflict', 'Another message has this client_id. Make a new one.');
  return begun;
};

/** What the page says of its visitor is used only where the message makes a contact; a name that nobody vouches for is none. */
const senderFields = ({ context }: VisitorMessage, visitor: Visitor | undefined) => ({
  language: context?.language,
  time_zone: context?.time_zone,
  ...(visitor?.identifiedAs != null && { first_name: visitor.profile.name }),
});
