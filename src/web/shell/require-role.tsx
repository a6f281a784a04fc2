import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { mayAs, type Role } from '../api/session.ts';
import { Page } from '../parts/page.tsx';
import { commonWords } from '../words/common.ts';
import { useSignedIn } from './session-context.ts';
import { words } from './words.ts';

/** Shows what is for this role or one that may more, and says so to others. The API refuses them in any case. */
export const RequireRole = ({ least, children }: { least: Role; children: ReactNode }) => {
  const session = useSignedIn();
  if (mayAs(least, session)) return children;
  return (
    <Page title={words.needsRole(commonWords.roles[least])}>
      <Text c="dimmed">{words.yourRole(commonWords.roles[session.user.role])}</Text>
      <Anchor component={Link} to="/">
        {words.toOverview}
      </Anchor>
    </Page>
  );
};
