import { Paper, Skeleton, Stack, Timeline as Entries } from '@mantine/core';
import { IconMessageForward, IconRoute } from '@tabler/icons-react';
import { unreachable } from '../../../../shared/unreachable.ts';
import type { Schemas } from '../../../api/client.ts';
import { Empty } from '../../../parts/empty.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { eventKind } from '../../../parts/kinds/event-kinds.ts';
import type { Kind } from '../../../parts/kinds/kind.ts';
import { KindIcon } from '../../../parts/kinds/kind-icon.tsx';
import { LoadMore } from '../../../parts/load-more.tsx';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useList } from '../../../parts/use-list.ts';
import { EntryBody, EntryTitle } from './timeline-entry.tsx';
import { words } from './words.ts';

type Entry = Schemas['TimelineEntry'];

const sent: Kind = { icon: IconMessageForward, hue: 'iris' };
const run: Kind = { icon: IconRoute, hue: 'iris' };

const kindOf = (entry: Entry): Kind => {
  switch (entry.type) {
    case 'message':
      return entry.message.direction === 'inbound' ? eventKind('new_message') : sent;
    case 'event':
      return eventKind(entry.event.event);
    case 'order':
      return eventKind('order_placed');
    case 'run':
      return run;
    case 'tag':
      return eventKind('tag_applied');
    default:
      return unreachable(entry);
  }
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
      <Paper withBorder p="lg">
        <Entries bulletSize={28} lineWidth={2} className="timeline" aria-label={words.tabs.timeline}>
          {rows.map((entry) => {
            return (
              <Entries.Item
                key={keyOf(entry)}
                bullet={<KindIcon kind={kindOf(entry)} size={28} />}
                title={<EntryTitle entry={entry} sayFlow={sayFlow} />}
              >
                <EntryBody entry={entry} />
              </Entries.Item>
            );
          })}
        </Entries>
      </Paper>
      <LoadMore list={list} />
    </Stack>
  );
};
