import { userChanges } from '../../../shared/users/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import { RoleChoice } from './role-choice.tsx';
import { words } from './words.ts';

type Props = { user: Schemas['User']; close: () => void };

/** Gives a user another role. The only owner stays one, which the API says. */
export const ChangeRole = ({ user: { id, email, role }, close }: Props) => {
  const { form, ...sending } = useApiForm({
    initialValues: { role },
    schema: userChanges,
    onSubmit: async (body) => {
      await client.PATCH('/users/{id}', { params: { path: { id } }, body });
      // It may have been one's own.
      await invalidate('/users', '/session');
      close();
    },
  });
  return (
    <FormModal close={close} title={words.changeRoleOf(email)} action={commonWords.save} {...sending}>
      <RoleChoice value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
    </FormModal>
  );
};
