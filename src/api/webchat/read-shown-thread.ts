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

/** Reads what a visitor sees of a thread. */
export const readShownThread = async (
  sql: Sql,
  of: ThreadOf,
  asked: AskedThread,
  linkTo: LinkTo,
): Promise<ShownThread> => {
  const thread = await readThread(sql, of, asked);
  return thread ? showThread(sql, of, thread, linkTo) : nothingSaid;
};

/** Shows a thread to its visitor. */
export const showThread = async (
  sql: Sql,
  of: ThreadOf,
  { conversation, messages, revision, hasMore }: Thread,
  linkTo: LinkTo,
): Promise<ShownThread> => ({
  conversation: await showConversation(sql, conversation),
  messages: await showMessages(sql, messages, linkTo),
  typing: { bot: await isFlowTyping(sql, of), agent: false },
  revision,
  has_more: hasMore,
});
