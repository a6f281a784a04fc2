import { useTranslation } from 'react-i18next';
import { Facts } from '../../parts/facts.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { ChangePassword } from './change-password.tsx';
import { HandoverMails } from './handover-mails.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** Who is signed in: the role, the password, mails, and sessions. */
export const Page = () => {
  const { t } = useTranslation(['profile', 'shell', 'users']);
  const { user, account } = useSignedIn();
  return (
    <Frame title={t('title')}>
      <Section title={t('who')}>
        <Facts
          facts={[
            [t('email'), user.email],
            [t('account'), account.name],
            [t('role'), `${t(`shell:roles.${user.role}`)}: ${t(`users:may.${user.role}`)}`],
          ]}
        />
      </Section>
      <ChangePassword />
      <HandoverMails />
      <OwnSessions />
    </Frame>
  );
};
