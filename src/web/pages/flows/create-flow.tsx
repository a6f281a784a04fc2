import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { words } from './words.ts';

type Props = { close: () => void };

/** Creates an empty flow by its name, and goes to its builder, which offers templates. */
export const CreateFlow = ({ close }: Props) => {
  const navigate = useNavigate();
  const { form, ...sending } = useApiForm({
    initialValues: { name: '' },
    onSubmit: async ({ name }) => {
      const definition = { schema_version: 1, triggers: [], blocks: [] };
      const { data } = await client.POST('/flows', { body: { name: name.trim(), definition } });
      await invalidate('/flows');
      if (data) await navigate(`/flows/${data.id}?tab=builder`);
    },
  });
  return (
    <FormModal {...sending} close={close} title={words.create} action={words.create}>
      <NameInput hint={words.nameHint} {...form.getInputProps('name')} />
    </FormModal>
  );
};
