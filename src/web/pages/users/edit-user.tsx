import { TextInput } from '@mantine/core';
import { userChanges } from '../../../shared/users/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import type { Role } from '../../api/session.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { nameOfUser } from '../../parts/name-of-user.ts';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import { userWords } from '../../words/users.ts';
import { RoleChoice } from './role-choice.tsx';
import { words } from './words.ts';

/** Whoever has no name yet may go on without. */
const readChanges = ({ name, role }: { name: string; role: Role }) => ({ role, ...(name.trim() !== '' && { name }) });

type Props = { user: Schemas['User']; close: () => void };

/** Changes the name and the role of a user. The only owner stays one, which the API says. */
export const EditUser = ({ user, close }: Props) => {
  const { id, name, role } = user;
  const { form, ...sending } = useApiForm({
    initialValues: { name: name ?? '', role },
    schema: checkedAs(userChanges, readChanges),
    onSubmit: async (written, pickChanged) => {
      const body = pickChanged(readChanges(written));
      if (Object.keys(body).length > 0) await client.PATCH('/users/{id}', { params: { path: { id } }, body });
      // It may have been one's own.
      await invalidate('/users', '/session');
      close();
    },
  });
  return (
    <FormModal close={close} title={words.editTitle(nameOfUser(user))} action={commonWords.save} {...sending}>
      <TextInput
        label={userWords.name}
        description={userWords.nameHint}
        data-autofocus
        required={name !== null}
        {...form.getInputProps('name')}
      />
      <RoleChoice value={form.values.role} onChange={(chosen) => form.setFieldValue('role', chosen)} />
    </FormModal>
  );
};
