import { Facts } from '../../parts/facts.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { commonWords } from '../../words/common.ts';
import { userWords } from '../../words/users.ts';
import { ChangePassword } from './change-password.tsx';
import { HandoverMails } from './handover-mails.tsx';
import { Notifications } from './notifications/notifications.tsx';
import { OwnName } from './own-name.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { words } from './words.ts';

/** Who is signed in: the role, the password, notifications, mails, and sessions. */
export const Page = () => {
  const { user, account } = useSignedIn();
  return (
    <Frame title={words.title}>
      <Section title={words.who}>
        <Facts
          facts={[
            [words.email, user.email],
            [words.account, account.name],
            [words.role, `${commonWords.roles[user.role]}: ${userWords.may[user.role]}`],
          ]}
        />
        <OwnName />
      </Section>
      <ChangePassword />
      <Notifications />
      <HandoverMails />
      <OwnSessions />
    </Frame>
  );
};
