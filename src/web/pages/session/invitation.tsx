import { Alert, Button, Text, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { acceptanceBody } from '../../../shared/users/schema.ts';
import { api, client, type Schemas } from '../../api/client.ts';
import { enter, useSession } from '../../api/session.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { Failure } from '../../parts/failure.tsx';
import { FormFields } from '../../parts/form.tsx';
import { nameOfUser } from '../../parts/name-of-user.ts';
import { NewPassword } from '../../parts/new-password.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { commonWords } from '../../words/common.ts';
import { BadLink, isBadLink } from './bad-link.tsx';
import { OpenPage } from './open-page.tsx';
import { useLinkToken } from './use-link-token.ts';
import { words } from './words.ts';

type Written = { name: string; password: string };

const typed = acceptanceBody.pick({ name: true, password: true });

/** Accepts an invitation by the link of its mail, and signs in. */
export const Page = () => {
  const { token, opened } = useLinkToken();
  return <Invitation key={opened} token={token} />;
};

const next = [{ to: '/sign-in', words: words.toSignIn }];

const Invitation = ({ token }: { token: string }) => {
  const { data, error, refetch } = api.useQuery(
    'post',
    '/invitations/preview',
    { body: { token } },
    { enabled: token !== '', retry: false, staleTime: Number.POSITIVE_INFINITY },
  );
  if (token === '')
    return (
      <OpenPage title={words.invitationTitle}>
        <BadLink title={words.noToken} text={words.invitationNoTokenText} next={next} />
      </OpenPage>
    );
  if (isBadLink(error)) return <Gone />;
  if (error)
    return (
      <OpenPage title={words.invitationTitle}>
        <Failure error={error} retry={() => void refetch()} />
      </OpenPage>
    );
  return data ? <Acceptance token={token} invited={data} /> : <Waiting />;
};

/** The link is of no use. */
const Gone = () => (
  <OpenPage title={words.invitationTitle}>
    <BadLink title={words.invitationGone} text={words.invitationGoneText} next={next} />
  </OpenPage>
);

type Props = { token: string; invited: Schemas['InvitationPreview'] };

/** What one is invited to, and what is needed to accept. */
const Acceptance = ({ token, invited: { account_name: account, email, name, role } }: Props) => {
  const navigate = useNavigate();
  const { session } = useSession();
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: { name: name ?? '', password: '' },
    schema: checkedAs<Written>(typed, (written) => written),
    onSubmit: async (body) => {
      const { data } = await client.POST('/invitations/accept', { body: { token, ...body } });
      if (!data) return;
      enter(data);
      await navigate('/', { replace: true });
    },
  });
  if (isBadLink(failure)) return <Gone />;
  return (
    <OpenPage title={words.invitationTitle}>
      <FormFields submit={submit} failure={failure}>
        <Text size="sm">{words.invitationTo({ account, role: commonWords.roles[role] })}</Text>
        <Text size="sm">{words.invitationEmail(email)}</Text>
        {session && (
          <Alert variant="light" color="yellow">
            {words.invitationOther(nameOfUser(session.user))}
          </Alert>
        )}
        <TextInput label={words.yourName} autoComplete="name" required {...form.getInputProps('name')} />
        <NewPassword {...form.getInputProps('password')} />
        <Button type="submit" loading={isSending}>
          {words.accept}
        </Button>
      </FormFields>
    </OpenPage>
  );
};
