import { Button, Group, MultiSelect, Pill, Select } from '@mantine/core';
import { IconAddressBook } from '@tabler/icons-react';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useSearchParams } from 'react-router';
import { externalIdLength } from '../../../shared/contacts/schema.ts';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { sayContact } from '../../parts/contact-link.tsx';
import { ContactStatus, contactStatuses } from '../../parts/contact-status.tsx';
import type { Column } from '../../parts/column.ts';
import { Empty } from '../../parts/empty.tsx';
import { FilteredList } from '../../parts/filtered-list.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { SearchInput } from '../../parts/search-input.tsx';
import { Time } from '../../parts/time.tsx';
import { useCount } from '../../parts/use-count.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useOrder } from '../../parts/use-order.ts';
import { useList, type RowOf } from '../../parts/use-list.ts';
import { useRepeatedFilter } from '../../parts/use-repeated-filter.ts';
import { useSelection } from '../../parts/use-selection.ts';
import { BulkContacts } from './bulk-contacts.tsx';
import { Conditions } from './conditions.tsx';
import { ContactForm, type ContactFields } from './contact-form.tsx';
import { To } from '../../parts/to.tsx';
import { ToChannels } from '../../parts/to-channels.tsx';
import { contactWords } from '../../words/contacts.ts';
import { words } from './words.ts';

/** As many as the API takes. */
const tagsAtMost = 5;

type Contact = RowOf<'/contacts'>;

const linkOfContact = ({ id }: Pick<Contact, 'id'>): string => `/contacts/${id}`;

const columns: Column<Contact>[] = [
  {
    heading: words.name,
    show: (contact) => (
      <span className="with-mark">
        <Avatar id={contact.id} name={sayContact(contact)} size={28} />
        <To to={linkOfContact(contact)}>{sayContact(contact)}</To>
      </span>
    ),
  },
  { key: 'email', heading: words.email, card: 'line', show: ({ email }) => email, width: 200 },
  {
    key: 'phone',
    heading: words.phone,
    card: 'line',
    show: ({ phone }) => phone !== null && <span style={{ whiteSpace: 'nowrap' }}>{phone}</span>,
  },
  {
    key: 'tags',
    heading: words.tags,
    card: 'hidden',
    show: ({ tags: names }) => (
      <Group gap={4}>
        {names.slice(0, 6).map((name) => (
          <Pill key={name}>{name}</Pill>
        ))}
        {names.length > 6 && `+${names.length - 6}`}
      </Group>
    ),
  },
  { key: 'status', heading: words.status, card: 'end', show: (contact) => <ContactStatus status={contact.status} /> },
  {
    key: 'created',
    heading: words.created,
    orders: { asc: 'oldest', desc: 'newest' },
    card: 'aside',
    show: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: 'changed',
    heading: words.changed,
    orders: { desc: 'changed' },
    card: 'hidden',
    show: ({ updated_at }) => <Time at={updated_at} />,
  },
];

/** The people that the account talks with, found by name, tags and custom fields. */
export const Page = () => {
  const navigate = useNavigate();
  const [isCreating, { open, close }] = useDisclosure();
  const { filters, setFilters } = useFilters(['search', 'status']);
  const [tags, setTags] = useRepeatedFilter('tag');
  const [conditions, setConditions] = useRepeatedFilter('field');
  const [, setParams] = useSearchParams();
  const { rows: knownTags = [] } = useList('/tags', { limit: 200 });
  const status = contactStatuses.find((known) => known === filters.status);
  const query = {
    ...(filters.search !== undefined && { search: filters.search.slice(0, externalIdLength) }),
    ...(status && { status }),
    ...(tags.length > 0 && { tag: tags }),
    ...(conditions.length > 0 && { field: conditions }),
  };
  const sort = useOrder(tags.length > 0 ? ['newest', 'oldest'] : ['newest', 'oldest', 'changed']);
  // A search has an order of its own.
  const isSorted = filters.search === undefined;
  const list = useList('/contacts', { query: { ...query, ...(isSorted && { order: sort.order }) } });
  const count = useCount('/contacts/count', list, query);
  const selection = useSelection(list.rows);
  const isFiltered = Object.keys(query).length > 0;
  const create = <Button onClick={open}>{words.create}</Button>;

  const save = async (fields: ContactFields): Promise<void> => {
    const { data } = await client.POST('/contacts', { body: fields });
    await invalidate('/contacts');
    if (data) await navigate(`/contacts/${data.id}`);
  };

  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <FilteredList
        name="contacts"
        label={words.list}
        counted={words.counted}
        noneFound={words.noneFound}
        noneFoundHint={words.noneFoundHint}
        clear={isFiltered ? () => setParams({}, { replace: true }) : undefined}
        filters={
          <>
            <SearchInput
              label={words.search}
              placeholder={words.searchHint}
              value={filters.search ?? ''}
              maxLength={externalIdLength}
              onSearch={(search) => setFilters({ search })}
            />
            <MultiSelect
              label={words.tags}
              placeholder={tags.length === 0 ? words.anyTags : ''}
              data={[...new Set([...knownTags.map(({ name }) => name), ...tags])]}
              value={tags}
              onChange={setTags}
              maxValues={tagsAtMost}
              searchable
              clearable
            />
            <Select
              label={words.status}
              placeholder={words.anyStatus}
              data={contactStatuses.map((value) => ({ value, label: contactWords.statuses[value] }))}
              value={status ?? null}
              onChange={(chosen) => setFilters({ status: chosen })}
              clearable
            />
            <Conditions conditions={conditions} setConditions={setConditions} />
          </>
        }
        list={list}
        linkOf={linkOfContact}
        selection={selection}
        bulk={<BulkContacts selection={selection} knownTags={knownTags.map(({ name }) => name)} />}
        count={count}
        sort={isSorted ? sort : undefined}
        minWidth={940}
        columns={columns}
        empty={
          <Empty icon={IconAddressBook} title={words.empty} action={<ToChannels />}>
            {words.emptyHint}
          </Empty>
        }
      />
      {isCreating && <ContactForm close={close} save={save} />}
    </Frame>
  );
};
