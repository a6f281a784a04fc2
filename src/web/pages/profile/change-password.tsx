import { PasswordInput } from '@mantine/core';
import { newPasswordBody } from '../../../shared/accounts/schema.ts';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../parts/form.tsx';
import { NewPassword } from '../../parts/new-password.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { Section } from '../../parts/section.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { words } from './words.ts';

/** Changes one's own password, which ends the sessions elsewhere. */
export const ChangePassword = () => {
  const { form, ...state } = useApiForm({
    initialValues: { current_password: '', new_password: '' },
    schema: newPasswordBody,
    onSubmit: async (body) => {
      await client.PUT('/password', { body });
      form.reset();
      showDone({ message: words.passwordChanged });
      await invalidate('/sessions');
    },
  });
  return (
    <Section title={words.password} description={words.passwordText}>
      <Form {...state} action={words.changePassword} maw={420}>
        <PasswordInput
          label={words.currentPassword}
          autoComplete="current-password"
          required
          {...form.getInputProps('current_password')}
        />
        <NewPassword {...form.getInputProps('new_password')} />
      </Form>
    </Section>
  );
};
