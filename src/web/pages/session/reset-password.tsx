import { Alert, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { passwordResetBody } from '../../../shared/users/schema.ts';
import { client } from '../../api/client.ts';
import { forget } from '../../api/session.ts';
import { FormFields } from '../../parts/form.tsx';
import { NewPassword } from '../../parts/new-password.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { BadLink, isBadLink } from './bad-link.tsx';
import { OpenPage } from './open-page.tsx';
import { useLinkToken } from './use-link-token.ts';
import { words } from './words.ts';

const typed = passwordResetBody.pick({ new_password: true });

/** Sets a new password by the link of a mail. */
export const Page = () => {
  const { token, opened } = useLinkToken();
  return <ResetPassword key={opened} token={token} />;
};

const ResetPassword = ({ token }: { token: string }) => {
  const [isDone, setDone] = useState(false);
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: { new_password: '' },
    schema: typed,
    onSubmit: async (body) => {
      await client.PUT('/password-reset', { body: { token, ...body } });
      forget();
      setDone(true);
    },
  });
  const next = [
    { to: '/forgotten-password', words: words.sendLinkTitle },
    { to: '/sign-in', words: words.toSignIn },
  ];
  if (isDone)
    return (
      <OpenPage title={words.resetTitle}>
        <Alert variant="light" color="green" role="status">
          {words.resetDone}
        </Alert>
        <Button component={Link} to="/sign-in">
          {words.signIn}
        </Button>
      </OpenPage>
    );
  if (token === '')
    return (
      <OpenPage title={words.resetTitle}>
        <BadLink title={words.noToken} text={words.resetNoTokenText} next={next} />
      </OpenPage>
    );
  if (isBadLink(failure))
    return (
      <OpenPage title={words.resetTitle}>
        <BadLink title={words.resetLinkGone} text={words.resetLinkGoneText} next={next} />
      </OpenPage>
    );
  return (
    <OpenPage title={words.resetTitle}>
      <FormFields submit={submit} failure={failure}>
        <Text size="sm">{words.resetText}</Text>
        <NewPassword {...form.getInputProps('new_password')} />
        <Button type="submit" loading={isSending}>
          {words.setPassword}
        </Button>
      </FormFields>
    </OpenPage>
  );
};
