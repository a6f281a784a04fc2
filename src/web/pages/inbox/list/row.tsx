import { Badge, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { useContact } from '../../../api/contact-names.ts';
import type { Schemas } from '../../../api/client.ts';
import { prefetchThread } from '../../../live/thread.ts';
import { useIsContactTyping } from '../../../live/typing.ts';
import { Avatar } from '../../../parts/avatar.tsx';
import { sayContact } from '../../../parts/contact-link.tsx';
import { channelKind } from '../../../parts/kinds/channel-kinds.ts';
import { KindIcon } from '../../../parts/kinds/kind-icon.tsx';
import { Time } from '../../../parts/time.tsx';
import { conversationWords } from '../../../words/conversations.ts';
import { words as all } from '../words.ts';
import { Marked } from '../../../parts/marked.tsx';
import { RowPresence } from './row-presence.tsx';

const words = all.list;

type Props = {
  conversation: Schemas['Conversation'];
  /** The type of its channel. */
  channelType: string | undefined;
  /** The name of the user who looks after it. */
  owner: string | undefined;
  /** Who wrote the last message, where that was not the contact. */
  author: string | undefined;
  /** What is searched for. */
  search: string;
  isOpened: boolean;
  hasDraft: boolean;
  to: string;
};

/** A conversation in the list: with whom, over which channel, what was said last, and who has it. */
export const Row = memo(({ conversation, channelType, owner, author, search, isOpened, hasDraft, to }: Props) => {
  const { contact_id: contactId, last_message: last, unread, created_at: openedAt } = conversation;
  const { waiting_since: waitingSince, snoozed_until: snoozedUntil } = conversation;
  const contact = useContact(contactId);
  const name = contact && sayContact(contact);
  const isTyping = useIsContactTyping(conversation.id);
  const found = conversation.found_message;
  const said = last ? last.text || conversationWords.noText : conversationWords.noMessage;
  return (
    <li>
      <Link
        to={to}
        // Its messages are on their way while the page is made.
        onClick={() => prefetchThread(conversation)}
        className="inbox-row"
        aria-current={isOpened ? 'true' : undefined}
        data-unread={unread > 0 || undefined}
      >
        <span className="inbox-face">
          <Avatar id={contactId} name={name} size={36} />
          {channelType !== undefined && <KindIcon kind={channelKind(channelType)} size={18} />}
        </span>
        <span className="inbox-said">
          <span className="inbox-line">
            <span className="inbox-name" dir="auto">
              {name ?? '…'}
            </span>
            {!isOpened && <RowPresence conversationId={conversation.id} />}
            <Text span size="xs" c="dimmed">
              <Time at={found?.created_at ?? last?.created_at ?? openedAt} />
            </Text>
          </span>
          <span className="inbox-line">
            <span className="inbox-excerpt" dir="auto">
              {found ? (
                <Marked text={found.text} words={search} />
              ) : isTyping ? (
                <span className="inbox-types">{words.isTyping}</span>
              ) : (
                <>
                  {/* A blank within would stand at the wrong side of it in Hebrew and Arabic. */}
                  {hasDraft && (
                    <>
                      <bdi className="inbox-draft">{words.draft}</bdi>{' '}
                    </>
                  )}
                  {author !== undefined && (
                    <>
                      <bdi>{words.by(author)}</bdi>{' '}
                    </>
                  )}
                  {said}
                </>
              )}
            </span>
            {unread > 0 && (
              <Badge circle={unread < 10} miw="max-content" aria-label={conversationWords.unread(unread)}>
                {unread}
              </Badge>
            )}
          </span>
          {(waitingSince !== null || snoozedUntil !== null || owner !== undefined) && (
            <span className="inbox-line inbox-state">
              {waitingSince !== null && (
                <span className="inbox-waits">
                  {words.waits} <Time at={waitingSince} format="clock" />
                </span>
              )}
              {snoozedUntil !== null && (
                <span>
                  {words.snoozed} <Time at={snoozedUntil} format="clock" />
                </span>
              )}
              {owner !== undefined && <span>{owner}</span>}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
});
