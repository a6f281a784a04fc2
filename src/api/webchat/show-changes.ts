import type { LinkTo } from '../../shared/media/schema.ts';
import type { Database } from '../../shared/platform/db/connect.ts';
import type { Logger } from '../../shared/platform/log.ts';
import type { VisitorChanges } from '../../shared/messages/live/read-visitor-changes.ts';
import { endWaitOfVisitor } from '../../shared/messages/webchat/awaited.ts';
import { isForVisitor } from '../../shared/messages/webchat/thread.ts';
import type { Reads } from '../reads.ts';
import { showThread } from './read-shown-thread.ts';
import type { TypingOfThreads } from './typing-of-threads.ts';
import type { VisitorStream } from './visitor-stream.ts';
import type { VisitorWriter } from './write-to-visitors.ts';

type Changes = Omit<VisitorChanges, 'hasMore'>;

type Options = {
  db: Database;
  reads: Reads;
  linkTo: LinkTo;
  typing: Pick<TypingOfThreads, 'isAgentTyping' | 'noteAnswer'>;
  writer: VisitorWriter;
  log: Logger;
  now: () => number;
};

/** The most changes that wait until they are shown. */
const waitingAtMost = 20;

/** Shows changes of a conversation on a stream, one after the other. What it answers is false where the client is too slow for more. */
export const createShowing = ({ db, reads, linkTo, typing, writer, log, now }: Options) => {
  const show = async (stream: VisitorStream, changes: Changes): Promise<void> => {
    const { of, response } = stream;
    if (!of || response.destroyed || response.writableEnded) return;
    const { conversation, messages, revision } = changes;
    if (!conversation.isLatest) return writer.reset(stream);
    const thread = { conversation, revision, messages: messages.filter(isForVisitor), hasMore: false };
    if (messages.some(({ sentBy }) => sentBy?.type === 'user')) {
      typing.noteAnswer(conversation.id);
      await endWaitOfVisitor(db, stream.visitorId);
    }
    const { has_more: _, ...shown } = await reads(of.accountId, (sql) =>
      showThread(sql, of, thread, { linkTo, isAgentTyping: typing.isAgentTyping }),
    );
    stream.isClosed = conversation.status === 'closed';
    stream.typing = shown.typing;
    stream.activeMs = now();
    writer.tell(stream, 'changes', shown);
  };

  return (stream: VisitorStream, changes: Changes): boolean => {
    stream.waiting += 1;
    stream.shown = stream.shown
      .then(() => show(stream, changes))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'webchat.not_shown');
        stream.response.destroy();
      })
      .finally(() => {
        stream.waiting -= 1;
      });
    return stream.waiting <= waitingAtMost && !writer.isBehind(stream);
  };
};
