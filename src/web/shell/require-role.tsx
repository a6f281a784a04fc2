import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { mayAs, type Role } from '../api/session.ts';
import { Page } from '../parts/page.tsx';
import { useSignedIn } from './session-context.ts';

/** Shows what is for this role or one that may more, and says so to others. The API refuses them in any case. */
export const RequireRole = ({ least, children }: { least: Role; children: ReactNode }) => {
  const { t } = useTranslation('shell');
  const session = useSignedIn();
  if (mayAs(least, session)) return children;
  return (
    <Page title={t('needsRole', { role: t(`roles.${least}`) })}>
      <Text c="dimmed">{t('yourRole', { role: t(`roles.${session.user.role}`) })}</Text>
      <Anchor component={Link} to="/">
        {t('toOverview')}
      </Anchor>
    </Page>
  );
};
