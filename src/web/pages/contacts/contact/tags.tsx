import { Autocomplete, Button, Group, Pill, Text } from '@mantine/core';
import { newTag } from '../../../../shared/tags/schema.ts';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { Failure, showFailure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { useApiForm } from '../../../parts/use-api-form.ts';
import { useList } from '../../../parts/use-list.ts';
import { words } from './words.ts';

/** The contact's tags: taken off, and put on, also ones that are new to the account. */
export const Tags = ({ contact: { id, tags } }: { contact: Schemas['Contact'] }) => {
  const { rows: known = [] } = useList('/tags', { limit: 200 });
  const changed = (): Promise<void> => invalidate('/contacts', '/tags');
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: { name: '' },
    schema: newTag,
    onSubmit: async ({ name }) => {
      await client.PUT('/contacts/{id}/tags/{name}', { params: { path: { id, name: name.trim() } } });
      form.reset();
      await changed();
    },
  });
  const takeOff = async (name: string): Promise<void> => {
    await client.DELETE('/contacts/{id}/tags/{name}', { params: { path: { id, name } } });
    await changed();
  };
  return (
    <Section title={words.tags}>
      {tags.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.noTags}
        </Text>
      ) : (
        <Pill.Group>
          {tags.map((name) => (
            <Pill
              key={name}
              size="md"
              withRemoveButton
              removeButtonProps={{ 'aria-label': words.removeTag(name), 'aria-hidden': false, tabIndex: 0 }}
              onRemove={() => void takeOff(name).catch(showFailure)}
            >
              {name}
            </Pill>
          ))}
        </Pill.Group>
      )}
      {failure ? <Failure error={failure} /> : null}
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <Autocomplete
            label={words.addTag}
            description={words.addTagHint}
            data={known.map(({ name }) => name).filter((name) => !tags.includes(name))}
            limit={20}
            flex={1}
            {...form.getInputProps('name')}
          />
          <Button type="submit" variant="default" loading={isSending}>
            {words.add}
          </Button>
        </Group>
      </form>
    </Section>
  );
};
