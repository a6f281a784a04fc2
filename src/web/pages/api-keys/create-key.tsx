import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newApiKey } from '../../../shared/accounts/schema.ts';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';

type Props = { close: () => void };

/** Creates a key, and shows it this once. */
export const CreateKey = ({ close }: Props) => {
  const { t } = useTranslation('apiKeys');
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
  if (key !== undefined) return <ShownOnce value={key} title={t('create')} hint={t('shownOnce')} end={close} />;
  return (
    <FormModal {...sending} close={close} title={t('create')} action={t('create')}>
      <NameInput hint={t('nameHint')} {...form.getInputProps('name')} />
    </FormModal>
  );
};
