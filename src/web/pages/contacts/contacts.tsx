import { Button, Group, MultiSelect, Pill, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useSearchParams } from 'react-router';
import { externalIdLength } from '../../../shared/contacts/schema.ts';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { sayContact } from '../../parts/contact-link.tsx';
import { ContactStatus, contactStatuses } from '../../parts/contact-status.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { SearchInput } from '../../parts/search-input.tsx';
import { Time } from '../../parts/time.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useRepeatedFilter } from '../../parts/use-repeated-filter.ts';
import { Conditions } from './conditions.tsx';
import { ContactForm, type ContactFields } from './contact-form.tsx';
import { To } from '../../parts/to.tsx';
import { ToChannels } from '../../parts/to-channels.tsx';
import { contactWords } from '../../words/contacts.ts';
import { words } from './words.ts';

/** As many as the API takes. */
const tagsAtMost = 5;

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
  const list = useList('/contacts', {
    query: {
      ...(filters.search !== undefined && { search: filters.search.slice(0, externalIdLength) }),
      ...(status && { status }),
      ...(tags.length > 0 && { tag: tags }),
      ...(conditions.length > 0 && { field: conditions }),
    },
  });
  const isFiltered = Object.keys(filters).length + tags.length + conditions.length > 0;
  const create = <Button onClick={open}>{words.create}</Button>;

  const save = async (fields: ContactFields): Promise<void> => {
    const { data } = await client.POST('/contacts', { body: fields });
    await invalidate('/contacts');
    if (data) await navigate(`/contacts/${data.id}`);
  };

  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <FilterBar clear={isFiltered ? () => setParams({}, { replace: true }) : undefined}>
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
      </FilterBar>
      <DataTable
        label={words.list}
        list={list}
        keyOf={({ id }) => id}
        minWidth={940}
        columns={[
          {
            heading: words.name,
            show: (contact) => <To to={`/contacts/${contact.id}`}>{sayContact(contact)}</To>,
          },
          { heading: words.email, show: ({ email }) => email, width: 200 },
          { heading: words.phone, show: ({ phone }) => <span style={{ whiteSpace: 'nowrap' }}>{phone}</span> },
          {
            heading: words.tags,
            show: ({ tags: names }) => (
              <Group gap={4}>
                {names.slice(0, 6).map((name) => (
                  <Pill key={name}>{name}</Pill>
                ))}
                {names.length > 6 && `+${names.length - 6}`}
              </Group>
            ),
          },
          { heading: words.status, show: (contact) => <ContactStatus status={contact.status} /> },
          { heading: words.created, show: ({ created_at }) => <Time at={created_at} format="ago" /> },
        ]}
        empty={
          isFiltered ? (
            <Empty title={words.noneFound}>{words.noneFoundHint}</Empty>
          ) : (
            <Empty title={words.empty} action={<ToChannels />}>
              {words.emptyHint}
            </Empty>
          )
        }
      />
      {isCreating && <ContactForm close={close} save={save} />}
    </Frame>
  );
};
