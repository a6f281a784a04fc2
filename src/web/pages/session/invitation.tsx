import { Alert, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
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

const typed = acceptanceBody.pick({ password: true });

/** Accepts an invitation by the link of its mail, and signs in. */
export const Page = () => {
  const { token, opened } = useLinkToken();
  return <Invitation key={opened} token={token} />;
};

const Invitation = ({ token }: { token: string }) => {
  const { t } = useTranslation('session');
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
  const next = [{ to: '/sign-in', words: t('toSignIn') }];
  if (token === '')
    return (
      <OpenPage title={t('invitationTitle')}>
        <BadLink title={t('noToken')} text={t('invitationNoTokenText')} next={next} />
      </OpenPage>
    );
  if (isBadLink(failure))
    return (
      <OpenPage title={t('invitationTitle')}>
        <BadLink title={t('invitationGone')} text={t('invitationGoneText')} next={next} />
      </OpenPage>
    );
  return (
    <OpenPage title={t('invitationTitle')}>
      <FormFields submit={submit} failure={failure}>
        <Text size="sm">{t('invitationText')}</Text>
        {session && (
          <Alert variant="light" color="yellow">
            {t('invitationOther', { email: session.user.email })}
          </Alert>
        )}
        <NewPassword {...form.getInputProps('password')} />
        <Button type="submit" loading={isSending}>
          {t('accept')}
        </Button>
      </FormFields>
    </OpenPage>
  );
};
