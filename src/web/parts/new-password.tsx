import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { passwordLength } from '../../shared/accounts/schema.ts';

/** A password that is being chosen, with the rule that it is to keep. */
export const NewPassword = (props: PasswordInputProps) => {
  const { t } = useTranslation('session');
  return (
    <PasswordInput
      label={t('newPassword')}
      description={t('passwordRule', { least: passwordLength })}
      autoComplete="new-password"
      required
      {...props}
    />
  );
};
