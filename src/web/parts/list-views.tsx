import { UnstyledButton } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ListName } from '../../shared/views/schema.ts';
import { api } from '../api/client.ts';
import { listWords } from '../words/lists.ts';
import { SaveChanges, SaveView, ViewMenu } from './change-views.tsx';

/** The address of a list, in one order, so that the same filters are the same text. */
const normal = (query: URLSearchParams | string): string => {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
};

/** The saved views of a list: one is opened by its tab, and what the list shows now is saved as another. */
export const ListViews = ({ list }: { list: ListName }) => {
  const [params, setParams] = useSearchParams();
  const { data } = api.useQuery('get', '/views', { params: { query: { list } } }, { staleTime: 60_000 });
  const views = data?.data ?? [];
  const query = normal(params);
  const active = views.find((view) => normal(view.query) === query);
  // A view stays open while its filters are changed, until another one is opened or no filter is left.
  const [openedId, setOpenedId] = useState<string>();
  const nextId = active ? active.id : query === '' ? undefined : openedId;
  if (nextId !== openedId) setOpenedId(nextId);
  const opened = views.find(({ id }) => id === nextId);
  if (views.length === 0 && query === '') return null;
  const tab = (label: string, to: string, isActive: boolean, isShared = false) => (
    <UnstyledButton
      key={label + to}
      className="view-tab"
      aria-current={isActive ? 'true' : undefined}
      onClick={() => setParams(new URLSearchParams(to))}
    >
      {label}
      {isShared && <IconUsers size={14} aria-label={listWords.shared} />}
    </UnstyledButton>
  );
  return (
    <nav aria-label={listWords.views} className="view-tabs">
      {tab(listWords.all, '', query === '')}
      {views.map((view) => tab(view.name, view.query, view === opened, view.is_shared))}
      {opened && !active && <SaveChanges view={opened} query={query} />}
      {active ? <ViewMenu view={active} /> : query !== '' && <SaveView list={list} query={query} />}
    </nav>
  );
};
