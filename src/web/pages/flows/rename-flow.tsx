import { flowChanges } from '../../../shared/flows/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Props = { flow: Schemas['Flow']; close: () => void };

/** Gives a flow another name. */
export const RenameFlow = ({ flow: { id, name }, close }: Props) => {
  const { form, ...sending } = useApiForm({
    initialValues: { name },
    schema: flowChanges,
    onSubmit: async (body) => {
      await client.PATCH('/flows/{id}', { params: { path: { id } }, body });
      await invalidate('/flows');
      close();
    },
  });
  return (
    <FormModal {...sending} close={close} title={words.rename} action={commonWords.save}>
      <NameInput hint={words.nameHint} {...form.getInputProps('name')} />
    </FormModal>
  );
};
