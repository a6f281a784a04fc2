import { useState } from 'react';
import { newApiKey } from '../../../shared/accounts/schema.ts';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { words } from './words.ts';

type Props = { close: () => void };

/** Creates a key, and shows it this once. */
export const CreateKey = ({ close }: Props) => {
  const [key, setKey] = useState<string>();
  const { form, ...sending } = useApiForm({
    initialValues: { name: '' },
    schema: newApiKey,
    onSubmit: async (body) => {
      const { data } = await client.POST('/api-keys', { body });
      setKey(data?.key);
      await invalidate('/api-keys');
    },
  });
  if (key !== undefined) return <ShownOnce value={key} title={words.create} hint={words.shownOnce} end={close} />;
  return (
    <FormModal {...sending} close={close} title={words.create} action={words.create}>
      <NameInput hint={words.nameHint} {...form.getInputProps('name')} />
    </FormModal>
  );
};
