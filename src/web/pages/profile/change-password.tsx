import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { newPasswordBody } from '../../../shared/accounts/schema.ts';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Failure } from '../../parts/failure.tsx';
import { NewPassword } from '../../parts/new-password.tsx';
import { Section } from '../../parts/section.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';

/** Changes one's own password, which ends the sessions elsewhere. */
export const ChangePassword = () => {
  const { t } = useTranslation('profile');
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: { current_password: '', new_password: '' },
    schema: newPasswordBody,
    onSubmit: async (body) => {
      await client.PUT('/password', { body });
      form.reset();
      notifications.show({ message: t('passwordChanged') });
      await invalidate('/sessions');
    },
  });
  return (
    <Section title={t('password')} description={t('passwordText')}>
      <form onSubmit={submit}>
        <Stack gap="sm" maw={420}>
          {failure ? <Failure error={failure} /> : null}
          <PasswordInput
            label={t('currentPassword')}
            autoComplete="current-password"
            required
            {...form.getInputProps('current_password')}
          />
          <NewPassword {...form.getInputProps('new_password')} />
          <Group>
            <Button type="submit" loading={isSending}>
              {t('changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
};
