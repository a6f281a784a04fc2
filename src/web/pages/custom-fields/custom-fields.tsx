import { Anchor, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { confirm } from '../../parts/confirm.tsx';
import { CustomFieldValue } from '../../parts/custom-field-value.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { commonWords } from '../../words/common.ts';
import { FieldForm } from './field-form.tsx';
import { words } from './words.ts';

type Field = Schemas['CustomField'];

/** Settings, Custom fields: what an account keeps of its contacts. Editors define, change and delete them. */
export const Page = () => {
  const mayEdit = mayAs('editor', useSignedIn());
  const list = useList('/custom-fields');
  const [edited, setEdited] = useState<{ field?: Field }>();
  const create = mayEdit && <Button onClick={() => setEdited({})}>{words.create}</Button>;

  const remove = ({ id, name, key }: Field): void =>
    confirm({
      title: words.deleteTitle(name),
      children: words.deleteText(key),
      action: commonWords.delete,
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/custom-fields/{id}', { params: { path: { id } } });
        await invalidate('/custom-fields');
      },
    });

  const actions = rowActions((field: Field) => (
    <>
      <RowAction label={words.editOf(field.name)} onClick={() => setEdited({ field })}>
        {commonWords.edit}
      </RowAction>
      <RowAction label={words.deleteTitle(field.name)} onClick={() => remove(field)}>
        {commonWords.delete}
      </RowAction>
    </>
  ));

  return (
    <Frame title={words.title} description={<Rules mayEdit={mayEdit} />} actions={create}>
      <DataTable
        label={words.list}
        counted={words.counted}
        list={list}
        keyOf={({ id }) => id}
        minWidth={860}
        columns={[
          {
            heading: commonWords.name,
            show: ({ name, key }) => (
              <Stack gap={0} align="flex-start">
                {name}
                <Code>{key}</Code>
              </Stack>
            ),
          },
          { heading: words.type, card: 'aside', width: 120, show: ({ type }) => words.types[type] },
          { heading: words.options, show: (field) => <Options field={field} /> },
          {
            heading: words.default,
            show: ({ type, default: value }) =>
              value === null ? <Dimmed>{commonWords.none}</Dimmed> : <Default type={type} value={value} />,
          },
          { heading: words.changed, card: 'hidden', width: 130, show: ({ updated_at }) => <Time at={updated_at} /> },
          ...(mayEdit ? [actions] : []),
        ]}
        empty={
          <Empty icon={IconForms} title={words.empty} action={create}>
            {mayEdit && words.emptyHint}
          </Empty>
        }
      />
      {edited && <FieldForm {...edited} close={() => setEdited(undefined)} />}
    </Frame>
  );
};

/** What becomes of a value whose key nobody has defined. */
const Rules = ({ mayEdit }: { mayEdit: boolean }) => {
  const { data } = api.useQuery('get', '/account');
  return (
    <>
      {words.description} {data && (data.strict_fields ? words.strict : words.notStrict)}{' '}
      {data && mayEdit && (
        <Anchor component={Link} to="/settings/account" inherit underline="always">
          {words.changeStrict}
        </Anchor>
      )}
    </>
  );
};

const Options = ({ field: { type, options } }: { field: Field }) => {
  if (options === null) return type === 'text' || type === 'list' ? <Dimmed>{words.anyText}</Dimmed> : null;
  return (
    <Group gap={4}>
      {options.map((option) => (
        <Badge key={option} tt="none" variant="default">
          {option}
        </Badge>
      ))}
    </Group>
  );
};

/** A default as values are shown, but for JSON, which a row has no room for. */
const Default = ({ type, value }: { type: Field['type']; value: unknown }) =>
  type === 'json' ? (
    <Text span size="xs" ff="monospace" lineClamp={2}>
      {JSON.stringify(value)}
    </Text>
  ) : (
    <CustomFieldValue type={type} value={value} />
  );

const Dimmed = ({ children }: { children: string }) => (
  <Text span size="sm" c="dimmed">
    {children}
  </Text>
);
