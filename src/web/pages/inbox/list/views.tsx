import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { api } from '../../../api/client.ts';
import { sayNumber } from '../../../words/numbers.ts';
import { useList } from '../../../parts/use-list.ts';
import { words as all } from '../words.ts';
import { countOf, viewNames } from '../views.ts';
import { useShown } from './use-shown.ts';

const words = all.list;

/** How many views stand beside each other. */
const beside = 4;

/** Where a view leads: the conversation that is open stays open, and the tag stays. */
const useLinks = () => {
  const { pathname } = useLocation();
  const { tag } = useShown();
  const kept = tag === undefined ? {} : { tag };
  return (params: Record<string, string>): string =>
    `${pathname}?${new URLSearchParams({ ...params, ...kept }).toString()}`;
};

/** The views that are looked at most, with how many conversations are in each. */
export const Views = () => {
  const to = useLinks();
  const { view, channel, saved, search } = useShown();
  const { data: counts } = api.useQuery('get', '/inbox/counts');
  const isPlain = channel === undefined && saved === undefined && search === undefined;
  return (
    <nav aria-label={words.views} className="inbox-views">
      {viewNames.slice(0, beside).map((name) => (
        <Link
          key={name}
          to={to({ view: name })}
          className="view-tab"
          aria-current={isPlain && name === view ? 'true' : undefined}
        >
          <span>{words.names[name]}</span> <Count of={countOf(name, counts)} />
        </Link>
      ))}
    </nav>
  );
};

/** The other views, channels and saved views; the button says which of them is shown. */
export const MoreViews = () => {
  const to = useLinks();
  const { view, channel, saved, views } = useShown();
  const { data: counts } = api.useQuery('get', '/inbox/counts');
  const { rows: channels = [] } = useList('/channels', { limit: 200 });
  const byChannel = (counts?.by_channel ?? []).flatMap(({ channel_id: id, open }) => {
    const found = channels.find((one) => one.id === id);
    return found ? [{ id, name: found.name, open }] : [];
  });
  const chosen =
    views.find(({ id }) => id === saved)?.name ??
    channels.find(({ id }) => id === channel)?.name ??
    (viewNames.indexOf(view) >= beside ? words.names[view] : undefined);
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant={chosen === undefined ? 'subtle' : 'light'}
          maw={180}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {chosen ?? words.more}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {viewNames.slice(beside).map((name) => (
          <Menu.Item
            key={name}
            component={Link}
            to={to({ view: name })}
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
            to={to({ view: 'open', channel: id })}
            rightSection={<Count of={open} />}
          >
            <span>{name}</span>
          </Menu.Item>
        ))}
        {views.length > 0 && <Menu.Label>{words.saved}</Menu.Label>}
        {views.map(({ id, name }) => (
          <Menu.Item key={id} component={Link} to={to({ saved: id })}>
            <span>{name}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const Count = ({ of }: { of: number | undefined }) =>
  of === undefined ? null : <span className="inbox-count">{sayNumber(of)}</span>;
