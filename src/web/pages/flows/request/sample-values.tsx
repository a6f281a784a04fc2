import { Stack, Text, TextInput } from '@mantine/core';
import { isProfileField } from '../../../../shared/custom-fields/values.ts';
import { api, type Schemas } from '../../../api/client.ts';
import { words as fieldWords } from '../../custom-fields/words.ts';
import type { Asked } from './find-placeholders.ts';
import { templateOf } from './read-request.ts';
import { words } from './words.ts';

type Props = {
  asked: readonly Asked[];
  typed: ReadonlyMap<string, string>;
  type: (path: string, text: string) => void;
  contactId: string | undefined;
  /** What the API refuses, by the path of the value. */
  problems: ReadonlyMap<string, string>;
};

const valueOf = (contact: Schemas['Contact'] | undefined, { path, from }: Asked): string => {
  if (!contact || from !== 'field') return '';
  const value: unknown = isProfileField(path) ? contact[path] : contact.custom_fields[path];
  return value === null ? '' : templateOf(value);
};

/** The values that a request needs: those of the contact, until somebody types others. */
export const SampleValues = ({ asked, typed, type, contactId, problems }: Props) => {
  const { data: contact } = api.useQuery(
    'get',
    '/contacts/{id}',
    { params: { path: { id: contactId ?? '' } } },
    { enabled: contactId !== undefined },
  );
  if (asked.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.test.noValues}
      </Text>
    );
  return (
    <Stack gap="xs" component="section" aria-label={words.test.values}>
      <Text size="xs" c="dimmed">
        {words.test.valuesHint} {words.test.plainHint}
      </Text>
      {asked.map((one) => (
        <TextInput
          key={one.path}
          label={one.type ? `${one.path} (${fieldWords.types[one.type]})` : one.path}
          value={typed.get(one.path) ?? valueOf(contact, one)}
          error={problems.get(one.path)}
          autoComplete="off"
          onChange={({ currentTarget }) => type(one.path, currentTarget.value)}
        />
      ))}
    </Stack>
  );
};
