import { Autocomplete } from '@mantine/core';
import { orderChanges } from '../../../shared/orders/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { useList } from '../../parts/use-list.ts';
import { orderWords } from '../../words/orders.ts';
import { words } from './words.ts';

type Props = { order: Schemas['Order']; close: () => void };

/** Gives an order another status: one that others have, which are offered, or a new word. */
export const ChangeStatus = ({ order: { id, status, status_history: had }, close }: Props) => {
  const { rows: others = [] } = useList('/orders', { query: {} });
  const known = new Set([...others, ...had].map((one) => one.status));
  const { form, ...sending } = useApiForm({
    initialValues: { status: '' },
    schema: orderChanges,
    onSubmit: async ({ status: next }) => {
      await client.PATCH('/orders/{id}', { params: { path: { id } }, body: { status: next } });
      await invalidate('/orders', '/contacts', '/events');
      close();
    },
  });
  return (
    <FormModal close={close} title={words.changeStatus} action={words.changeStatus} {...sending}>
      <Autocomplete
        label={orderWords.status}
        description={words.changeHint}
        placeholder={status}
        data={[...known].filter((one) => one !== status)}
        required
        data-autofocus
        {...form.getInputProps('status')}
      />
    </FormModal>
  );
};
