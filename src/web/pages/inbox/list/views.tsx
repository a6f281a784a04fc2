import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconUsers } from '@tabler/icons-react';
import { Link, useLocation, useNavigate } from 'react-router';
import { api } from '../../../api/client.ts';
import { SaveChanges, SaveView, ViewMenu } from '../../../parts/change-views.tsx';
import { useList } from '../../../parts/use-list.ts';
import { listWords } from '../../../words/lists.ts';
import { sayNumber } from '../../../words/numbers.ts';
import { words as all } from '../words.ts';
import { countOf, viewNames } from '../views.ts';
import { savedFilters, useShown } from './use-shown.ts';

const words = all.list;

/** How many views stand beside each other. */
const beside = 4;

/** Where a view leads: the conversation that is open stays open, and the tag stays, unless it is that of a saved view. */
const useLinks = () => {
  const { pathname } = useLocation();
  const { filters, opened } = useShown();
  const { tag } = filters;
  const isOwn = tag !== undefined && new URLSearchParams(opened?.query).get('tag') !== tag;
  const toView = (params: Record<string, string>): string =>
    `${pathname}?${new URLSearchParams({ ...params, ...(isOwn && { tag }) }).toString()}`;
  const toSaved = ({ id, query }: { id: string; query: string }): string => {
    const filtered = savedFilters({ query });
    return `${pathname}?saved=${id}${filtered && `&${filtered}`}`;
  };
  return { toView, toSaved };
};

/** The views that are looked at most, with how many conversations are in each. */
export const Views = () => {
  const { toView } = useLinks();
  const { view, saved, opened, query, filters } = useShown();
  const { data: counts } = api.useQuery('get', '/inbox/counts');
  const isPlain = filters.channel === undefined && saved === undefined && filters.search === undefined;
  return (
    <>
      <nav aria-label={words.views} className="inbox-views">
        {viewNames.slice(0, beside).map((name) => (
          <Link
            key={name}
            to={toView({ view: name })}
            className="view-tab"
            aria-current={isPlain && name === view ? 'true' : undefined}
          >
            <span>{words.names[name]}</span> <Count of={countOf(name, counts)} />
          </Link>
        ))}
      </nav>
      {opened && savedFilters(opened) !== query && (
        <div className="inbox-changed-view">
          <SaveChanges view={opened} query={query} />
        </div>
      )}
    </>
  );
};

/** Saves what the list shows as a view, or changes the saved one that is open. */
export const KeepView = () => {
  const navigate = useNavigate();
  const { toView, toSaved } = useLinks();
  const { opened, query } = useShown();
  if (opened && savedFilters(opened) === query)
    return <ViewMenu view={opened} onDeleted={() => void navigate(toView({ view: 'open' }))} />;
  return <SaveView isCompact list="conversations" query={query} onSaved={(view) => void navigate(toSaved(view))} />;
};

/** The other views, channels and saved views; the button says which of them is shown. */
export const MoreViews = () => {
  const { toView, toSaved } = useLinks();
  const { view, saved, opened, views, filters } = useShown();
  const { data: counts } = api.useQuery('get', '/inbox/counts');
  const { rows: channels = [] } = useList('/channels', { limit: 200 });
  const byChannel = (counts?.by_channel ?? []).flatMap(({ channel_id: id, open }) => {
    const found = channels.find((one) => one.id === id);
    return found ? [{ id, name: found.name, open }] : [];
  });
  const unsaved =
    channels.find(({ id }) => id === filters.channel)?.name ??
    (viewNames.indexOf(view) >= beside ? words.names[view] : undefined);
  // One that was deleted meanwhile still filters the list.
  const chosen = saved === undefined ? unsaved : (opened?.name ?? words.unsaved);
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant={chosen === undefined ? 'subtle' : 'light'}
          maw={150}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <span className="inbox-chosen">{chosen ?? words.more}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {viewNames.slice(beside).map((name) => (
          <Menu.Item
            key={name}
            component={Link}
            to={toView({ view: name })}
            rightSection={<Count of={countOf(name, counts)} />}
          >
            <span>{words.names[name]}</span>
          </Menu.Item>
        ))}
        {byChannel.length > 0 && <Menu.Label>{words.channels}</Menu.Label>}
        {byChannel.map(({ id, name, open }) => (
          <Menu.Item
            key={id}
            component={Link}
            to={toView({ view: 'open', channel: id })}
            rightSection={<Count of={open} />}
          >
            <span>{name}</span>
          </Menu.Item>
        ))}
        {views.length > 0 && <Menu.Label>{words.saved}</Menu.Label>}
        {views.map((one) => (
          <Menu.Item
            key={one.id}
            component={Link}
            to={toSaved(one)}
            rightSection={one.is_shared && <IconUsers size={14} aria-label={listWords.shared} />}
          >
            <span>{one.name}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const Count = ({ of }: { of: number | undefined }) =>
  of === undefined ? null : <span className="inbox-count">{sayNumber(of)}</span>;
