import { Alert, Button, Text, TextInput } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { forgottenBody } from '../../../shared/users/schema.ts';
import { client } from '../../api/client.ts';
import { FormFields } from '../../parts/form.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { OpenPage } from './open-page.tsx';
import { To } from '../../parts/to.tsx';
import { words } from './words.ts';

/** Has the link to a new password sent. It answers the same for everybody, so that it does not tell who is a user. */
export const Page = () => {
  const [sentTo, setSentTo] = useState<string>();
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: { email: '' },
    schema: forgottenBody,
    onSubmit: async (body) => {
      await client.POST('/password-reset', { body });
      setSentTo(body.email);
    },
  });
  const back = <To to="/sign-in">{words.toSignIn}</To>;
  if (sentTo !== undefined)
    return (
      <OpenPage title={words.forgottenTitle}>
        <Alert variant="light" title={words.linkSent} icon={<IconMail aria-hidden />} role="status">
          {words.linkSentText(sentTo)}
        </Alert>
        <Button variant="default" onClick={() => setSentTo(undefined)}>
          {words.otherEmail}
        </Button>
        {back}
      </OpenPage>
    );
  return (
    <OpenPage title={words.forgottenTitle}>
      <FormFields submit={submit} failure={failure}>
        <Text size="sm">{words.forgottenText}</Text>
        <TextInput label={words.email} type="email" autoComplete="username" required {...form.getInputProps('email')} />
        <Button type="submit" loading={isSending}>
          {words.sendLink}
        </Button>
        {back}
      </FormFields>
    </OpenPage>
  );
};
