import {
  nothingSaid,
  showConversation,
  showMessages,
  type ShownThread,
} from '../../shared/messages/webchat/show-thread.ts';
import type { LinkTo } from '../../shared/media/schema.ts';
import { readThread, type AskedThread, type Thread, type ThreadOf } from '../../shared/messages/webchat/thread.ts';
import { isFlowTyping } from '../../shared/messages/webchat/typing.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';

/** `isAgentTyping`: whether an agent is about to write in a conversation, a UUID. */
type Showing = { linkTo: LinkTo; isAgentTyping: (conversationId: string) => boolean };

/** Reads what a visitor sees of a thread. */
export const readShownThread = async (
  sql: Sql,
  of: ThreadOf,
  asked: AskedThread,
  showing: Showing,
): Promise<ShownThread> => {
  const thread = await readThread(sql, of, asked);
  return thread ? showThread(sql, of, thread, showing) : nothingSaid;
};

/** Shows a thread to its visitor. */
export const showThread = async (
  sql: Sql,
  of: ThreadOf,
  { conversation, messages, revision, hasMore }: Thread,
  { linkTo, isAgentTyping }: Showing,
): Promise<ShownThread> => ({
  conversation: await showConversation(sql, conversation),
  messages: await showMessages(sql, messages, linkTo),
  typing: { bot: await isFlowTyping(sql, of), agent: isAgentTyping(conversation.id) },
  revision,
  has_more: hasMore,
});
