import { newTag } from '../../../shared/tags/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { words } from './words.ts';

type Props = {
  close: () => void;
  /** The tag that gets another name; a new one when not given. */
  tag?: Schemas['TagWithContacts'];
};

/** The name of a tag, a new one or one that is there. */
export const TagForm = ({ close, tag }: Props) => {
  const { form, ...sending } = useApiForm({
    initialValues: { name: tag?.name ?? '' },
    schema: newTag,
    onSubmit: async (body) => {
      if (tag) await client.PATCH('/tags/{id}', { params: { path: { id: tag.id } }, body });
      else await client.POST('/tags', { body });
      await invalidate('/tags', '/contacts');
      close();
    },
  });
  return (
    <FormModal
      {...sending}
      close={close}
      title={tag ? words.renameOf(tag.name) : words.create}
      action={tag ? words.rename : words.create}
    >
      <NameInput hint={tag ? words.renameHint : words.nameHint} {...form.getInputProps('name')} />
    </FormModal>
  );
};
