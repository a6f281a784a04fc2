import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { passwordLength } from '../../shared/accounts/schema.ts';
import { sessionWords } from '../words/session.ts';

/** A password that is being chosen, with the rule that it is to keep. */
export const NewPassword = (props: PasswordInputProps) => (
  <PasswordInput
    label={sessionWords.newPassword}
    description={sessionWords.passwordRule(passwordLength)}
    autoComplete="new-password"
    required
    {...props}
  />
);
