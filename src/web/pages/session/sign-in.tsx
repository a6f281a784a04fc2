import { Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { client } from '../../api/client.ts';
import { hasEnded } from '../../api/session-end.ts';
import { enter, useSession } from '../../api/session.ts';
import { Failure } from '../../parts/failure.tsx';
import { FormFields } from '../../parts/form.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { BadLink, isBadLink } from './bad-link.tsx';
import { ByLink } from './by-link.tsx';
import { OpenPage } from './open-page.tsx';
import { pathWithin } from './path-within.ts';
import { useLinkToken } from './use-link-token.ts';
import { To } from '../../parts/to.tsx';
import { words } from './words.ts';

/** Signing in by e-mail address and password, or by a link, and then to where the user wanted to go. Who is signed in stays who they are. */
export const Page = () => {
  const { token, opened } = useLinkToken();
  return <SignIn key={opened} token={token} />;
};

const SignIn = ({ token }: { token: string }) => {
  const [params] = useSearchParams();
  const { session, error } = useSession();
  const [linkFailure, setLinkFailure] = useState<unknown>(null);
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: { email: '', password: '' },
    onSubmit: async (body) => {
      const { data } = await client.POST('/session', { body });
      if (data) enter(data);
    },
  });
  if (session) return <Navigate to={pathWithin(params.get('next'), location.origin)} replace />;
  if (session === undefined && !error) return <Waiting />;
  if (token !== '' && !linkFailure) return <ByLink token={token} onFailure={setLinkFailure} />;
  return (
    <OpenPage title={words.title}>
      {hasEnded() && <Text role="status">{words.ended}</Text>}
      {linkFailure && isBadLink(linkFailure) ? (
        <BadLink title={words.signInLinkGone} text={words.signInLinkGoneText} />
      ) : null}
      {linkFailure && !isBadLink(linkFailure) ? (
        <Failure error={linkFailure} retry={() => setLinkFailure(null)} />
      ) : null}
      <FormFields submit={submit} failure={failure}>
        <TextInput label={words.email} type="email" autoComplete="username" required {...form.getInputProps('email')} />
        <PasswordInput
          label={words.password}
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={isSending}>
          {words.signIn}
        </Button>
        <To to="/forgotten-password">{words.forgotten}</To>
      </FormFields>
    </OpenPage>
  );
};
