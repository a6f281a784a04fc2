import { Autocomplete, Button, Group, Pill, Text } from '@mantine/core';
import { newTag } from '../../../../shared/tags/schema.ts';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { showAtOnce } from '../../../api/show-at-once.ts';
import { Failure, showFailure } from '../../../parts/failure.tsx';
import { showDone } from '../../../parts/show-done.tsx';
import { Section } from '../../../parts/section.tsx';
import { useApiForm } from '../../../parts/use-api-form.ts';
import { useList } from '../../../parts/use-list.ts';
import { words } from './words.ts';

/** The contact's tags: taken off, and put on, also ones that are new to the account. */
export const Tags = ({ contact: { id, tags } }: { contact: Schemas['Contact'] }) => {
  const { rows: known = [] } = useList('/tags', { limit: 200 });
  const put = async (name: string): Promise<void> => {
    await client.PUT('/contacts/{id}/tags/{name}', { params: { path: { id, name } } });
    await invalidate('/contacts', '/tags');
  };
  const remove = async (name: string): Promise<void> => {
    await showAtOnce<Schemas['Contact']>({
      path: '/contacts/{id}',
      id,
      change: (contact) => ({ tags: contact.tags.filter((one) => one !== name) }),
      send: () => client.DELETE('/contacts/{id}/tags/{name}', { params: { path: { id, name } } }),
    });
    showDone({ message: words.removedTag(name), undo: () => put(name) });
    await invalidate('/contacts', '/tags');
  };
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: { name: '' },
    schema: newTag,
    onSubmit: async ({ name }) => {
      await put(name.trim());
      form.reset();
    },
  });
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
              onRemove={() => void remove(name).catch(showFailure)}
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
