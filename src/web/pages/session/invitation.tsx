import { Alert, Button, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { acceptanceBody } from '../../../shared/users/schema.ts';
import { client } from '../../api/client.ts';
import { enter, useSession } from '../../api/session.ts';
import { FormFields } from '../../parts/form.tsx';
import { NewPassword } from '../../parts/new-password.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { BadLink, isBadLink } from './bad-link.tsx';
import { OpenPage } from './open-page.tsx';
import { useLinkToken } from './use-link-token.ts';
import { words } from './words.ts';

const typed = acceptanceBody.pick({ password: true });

/** Accepts an invitation by the link of its mail, and signs in. */
export const Page = () => {
  const { token, opened } = useLinkToken();
  return <Invitation key={opened} token={token} />;
};

const Invitation = ({ token }: { token: string }) => {
  const navigate = useNavigate();
  const { session } = useSession();
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: { password: '' },
    schema: typed,
    onSubmit: async (body) => {
      const { data } = await client.POST('/invitations/accept', { body: { token, ...body } });
      if (!data) return;
      enter(data);
      await navigate('/', { replace: true });
    },
  });
  const next = [{ to: '/sign-in', words: words.toSignIn }];
  if (token === '')
    return (
      <OpenPage title={words.invitationTitle}>
        <BadLink title={words.noToken} text={words.invitationNoTokenText} next={next} />
      </OpenPage>
    );
  if (isBadLink(failure))
    return (
      <OpenPage title={words.invitationTitle}>
        <BadLink title={words.invitationGone} text={words.invitationGoneText} next={next} />
      </OpenPage>
    );
  return (
    <OpenPage title={words.invitationTitle}>
      <FormFields submit={submit} failure={failure}>
        <Text size="sm">{words.invitationText}</Text>
        {session && (
          <Alert variant="light" color="yellow">
            {words.invitationOther(session.user.email)}
          </Alert>
        )}
        <NewPassword {...form.getInputProps('password')} />
        <Button type="submit" loading={isSending}>
          {words.accept}
        </Button>
      </FormFields>
    </OpenPage>
  );
};
