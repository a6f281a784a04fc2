import { Skeleton, Stack, Timeline as Entries } from '@mantine/core';
import {
  IconBolt,
  IconMessage,
  IconMessageForward,
  IconRoute,
  IconShoppingBag,
  IconTag,
  type Icon,
} from '@tabler/icons-react';
import { unreachable } from '../../../../shared/unreachable.ts';
import type { Schemas } from '../../../api/client.ts';
import { Empty } from '../../../parts/empty.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { LoadMore } from '../../../parts/load-more.tsx';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useList } from '../../../parts/use-list.ts';
import { EntryBody, EntryTitle } from './timeline-entry.tsx';
import { words } from './words.ts';

type Entry = Schemas['TimelineEntry'];

const iconOf = (entry: Entry): Icon => {
  if (entry.type === 'message') return entry.message.direction === 'inbound' ? IconMessage : IconMessageForward;
  return { event: IconBolt, tag: IconTag, order: IconShoppingBag, run: IconRoute }[entry.type];
};

const keyOf = (entry: Entry): string => {
  switch (entry.type) {
    case 'message':
      return entry.message.id;
    case 'event':
      return entry.event.id;
    case 'order':
      return entry.order.id;
    case 'run':
      return entry.run.id;
    case 'tag':
      return `tag ${entry.tag.name}`;
    default:
      return unreachable(entry);
  }
};

/** What happened with the contact, newest first. */
export const Timeline = ({ contactId }: { contactId: string }) => {
  const { nameOf: sayFlow } = useFlowNames();
  const list = useList('/contacts/{id}/timeline', { id: contactId, limit: 25 });
  const { rows, error, retry } = list;
  if (!rows) return error ? <Failure error={error} retry={retry} /> : <Skeleton height={320} />;
  if (rows.length === 0) return <Empty title={words.timelineEmpty}>{words.timelineEmptyHint}</Empty>;
  return (
    <Stack gap="md">
      {error ? <Failure error={error} retry={retry} /> : null}
      <Entries bulletSize={28} lineWidth={2} aria-label={words.tabs.timeline}>
        {rows.map((entry) => {
          const EntryIcon = iconOf(entry);
          return (
            <Entries.Item
              key={keyOf(entry)}
              bullet={<EntryIcon size={16} stroke={1.6} aria-hidden />}
              title={<EntryTitle entry={entry} sayFlow={sayFlow} />}
            >
              <EntryBody entry={entry} />
            </Entries.Item>
          );
        })}
      </Entries>
      <LoadMore list={list} />
    </Stack>
  );
};
