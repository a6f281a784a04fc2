import { Alert, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { newUser } from '../../../shared/users/schema.ts';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import type { Role } from '../../api/session.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { RoleChoice } from './role-choice.tsx';
import { words } from './words.ts';

type Props = { close: () => void };

const initialValues: { email: string; role: Role } = { email: '', role: 'agent' };

/** Invites somebody by mail. */
export const InviteUser = ({ close }: Props) => {
  const { installation } = useSignedIn();
  const { form, ...sending } = useApiForm({
    initialValues,
    schema: newUser,
    onSubmit: async (body) => {
      await client.POST('/users', { body });
      await invalidate('/invitations');
      notifications.show({ message: words.invited(body.email) });
      close();
    },
  });
  return (
    <FormModal close={close} title={words.invite} action={words.sendInvitation} {...sending}>
      {installation.sends_mail ? <Text size="sm">{words.inviteHint}</Text> : <Alert>{words.inviteNoMail}</Alert>}
      <TextInput label={words.email} type="email" required data-autofocus {...form.getInputProps('email')} />
      <RoleChoice value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
    </FormModal>
  );
};
