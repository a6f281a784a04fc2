import { Alert, Text, TextInput } from '@mantine/core';
import { newUser } from '../../../shared/users/schema.ts';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import type { Role } from '../../api/session.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { RoleChoice } from './role-choice.tsx';
import { words } from './words.ts';

type Props = { close: () => void };

type Written = { email: string; name: string; role: Role };

const initialValues: Written = { email: '', name: '', role: 'agent' };

const readInvited = ({ name, ...invited }: Written) => ({ ...invited, ...(name.trim() !== '' && { name }) });

/** Invites somebody by mail. */
export const InviteUser = ({ close }: Props) => {
  const { installation } = useSignedIn();
  const { form, ...sending } = useApiForm({
    initialValues,
    schema: checkedAs(newUser, readInvited),
    onSubmit: async (written) => {
      const body = readInvited(written);
      await client.POST('/users', { body });
      await invalidate('/invitations');
      showDone({ message: words.invited(body.email) });
      close();
    },
  });
  return (
    <FormModal
      close={close}
      title={words.invite}
      action={installation.sends_mail ? words.sendInvitation : words.createInvitation}
      {...sending}
    >
      {installation.sends_mail ? <Text size="sm">{words.inviteHint}</Text> : <Alert>{words.inviteNoMail}</Alert>}
      <TextInput label={words.email} type="email" required data-autofocus {...form.getInputProps('email')} />
      <TextInput label={words.invitedName} {...form.getInputProps('name')} />
      <RoleChoice value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
    </FormModal>
  );
};
