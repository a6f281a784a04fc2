import { ActionIcon, Button, Skeleton, Title, Tooltip } from '@mantine/core';
import { IconInbox, IconKeyboard, IconSearchOff } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'react-router';
import type { Schemas } from '../../../api/client.ts';
import { useInboxPresence } from '../../../live/presence.ts';
import { prefetchThread } from '../../../live/thread.ts';
import { Empty } from '../../../parts/empty.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { LoadMore } from '../../../parts/load-more.tsx';
import { InRows } from '../../../parts/time.tsx';
import { ToChannels } from '../../../parts/to-channels.tsx';
import { useList } from '../../../parts/use-list.ts';
import { useUsers } from '../../../parts/use-users.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { moveInList } from '../keys/use-keys.ts';
import type { ViewName } from '../views.ts';
import { words as all } from '../words.ts';
import { Row } from './row.tsx';
import { useHeldRows } from './use-held-rows.ts';
import { Search } from './search.tsx';
import { useConversations, useDrafted, useShown } from './use-shown.ts';
import { KeepView, MoreViews, Views } from './views.tsx';

const words = all.list;

/** How long a conversation stays open before the next one is read, in ms. */
const prefetchAfterMs = 200;

/** The conversations of a view. `openedId` is the one that is read beside it. */
export const ConversationList = ({ openedId, showKeys }: { openedId: string | undefined; showKeys: () => void }) => {
  const { search } = useLocation();
  useInboxPresence();
  return (
    <section className="inbox-list" aria-label={words.label}>
      <div className="inbox-list-head">
        <Title order={openedId === undefined ? 1 : 2} size="h4">
          {all.title}
        </Title>
        <Tooltip label={all.actions.withKey(all.keys.open, '?')}>
          <ActionIcon variant="subtle" color="gray" aria-label={all.keys.open} onClick={showKeys} visibleFrom="sm">
            <IconKeyboard size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <KeepView />
        <MoreViews />
      </div>
      <Search />
      <Views />
      <Rows key={search} openedId={openedId} />
    </section>
  );
};

const Nothing = ({ view, isFiltered }: { view: ViewName; isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon={IconSearchOff} title={words.noneFound}>
      {words.noneFoundHint}
    </Empty>
  ) : (
    <Empty icon={IconInbox} title={words.empty[view]} action={view === 'open' ? <ToChannels /> : undefined}>
      {words.emptyHint}
    </Empty>
  );

const Rows = ({ openedId }: { openedId: string | undefined }) => {
  const { search } = useLocation();
  const { view, saved, filters } = useShown();
  const { search: text, tag } = filters;
  const isFiltered = saved !== undefined || text !== undefined || tag !== undefined;
  const list = useConversations();
  const { rows: now, error, retry } = list;
  const { rows, news, showNews, holding } = useHeldRows(now ?? noRows, list.more === undefined);
  const { rows: channels } = useList('/channels', { limit: 200 });
  const typeOf = useMemo(() => new Map(channels?.map(({ id, type }) => [id, type])), [channels]);
  const { sayUser } = useUsers();
  const { user } = useSignedIn();
  const authorOf = ({ last_message: last }: Schemas['Conversation']): string | undefined => {
    const { type, id } = last?.sent_by ?? {};
    if (type === undefined) return undefined;
    if (type !== 'user') return type === 'flow' ? all.thread.bot : all.thread.api;
    if (typeof id !== 'string') return all.thread.anAgent;
    return id === user.id ? words.you : sayUser(id);
  };
  const drafted = useDrafted();
  usePrefetchOfNext(rows, openedId);
  if (!now) return error ? <Failure error={error} retry={retry} /> : <Skeleton height={240} m="sm" w="auto" />;
  return (
    <div className="inbox-rows" {...holding}>
      {error ? <Failure error={error} retry={retry} /> : null}
      {news > 0 && (
        <div className="inbox-news">
          <Button
            size="compact-sm"
            onClick={() => {
              // The button goes away, and the focus would with it.
              moveInList(0);
              showNews();
            }}
          >
            {words.news(news)}
          </Button>
        </div>
      )}
      {rows.length === 0 && <Nothing view={view} isFiltered={isFiltered} />}
      <InRows value>
        <ol className="inbox-ol" aria-label={words.label}>
          {rows.map((conversation) => (
            <Row
              key={conversation.id}
              conversation={conversation}
              channelType={typeOf.get(conversation.channel_id)}
              owner={conversation.assigned_to === null ? undefined : sayUser(conversation.assigned_to)}
              author={authorOf(conversation)}
              search={text ?? ''}
              isOpened={conversation.id === openedId}
              hasDraft={drafted.has(conversation.id)}
              to={linkTo(conversation, search)}
            />
          ))}
        </ol>
      </InRows>
      <LoadMore list={list} />
    </div>
  );
};

const noRows: readonly [] = [];

/** Where a conversation is read: at the message that was found. */
const linkTo = ({ id, found_message: found }: Schemas['Conversation'], search: string): string =>
  `/inbox/${id}${search}${found ? `#${found.id}` : ''}`;

/** Reads the conversation below the one that is open, which is mostly opened next. */
const usePrefetchOfNext = (rows: readonly Schemas['Conversation'][], openedId: string | undefined): void => {
  const place = rows.findIndex(({ id }) => id === openedId);
  const next = place < 0 ? undefined : rows[place + 1];
  const nextId = next?.id;
  const latest = useRef(next);
  useEffect(() => {
    latest.current = next;
  });
  useEffect(() => {
    const timer = setTimeout(() => {
      if (latest.current && latest.current.id === nextId) prefetchThread(latest.current);
    }, prefetchAfterMs);
    return () => clearTimeout(timer);
  }, [nextId]);
};
