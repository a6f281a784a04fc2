import { api } from '../../api/client.ts';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { AccountSettings } from './account-settings.tsx';
import { HandoverSettings } from './handover-settings.tsx';
import { words } from './words.ts';

/** Settings, Account: plan and limits, name, time zone, custom fields, handovers. */
export const Page = () => {
  const { installation } = useSignedIn();
  const account = api.useQuery('get', '/account');
  const handovers = api.useQuery('get', '/handover-settings');
  const error = account.error ?? handovers.error;
  const retry = (): void => void Promise.all([account.refetch(), handovers.refetch()]);
  if (!account.data || !handovers.data) return <LoadingPage title={words.title} error={error} retry={retry} />;
  const { id, email, plan, limits, created_at: createdAt } = account.data;
  return (
    <Frame title={words.title}>
      <Section title={words.facts}>
        <Facts
          facts={[
            [words.id, <Copyable key="id" value={id} label={words.id} />],
            [words.email, email],
            [words.plan, words.plans[plan]],
            [words.webhooks, limits.webhooks > 0 ? words.webhooksAtMost(limits.webhooks) : words.webhooksNone],
            [words.users, words.usersAtMost(limits.users)],
            [words.requests, words.requestsAtMost(limits.requests_per_minute)],
            [words.retention, words.retentionDays(installation.retention_days)],
            [words.created, <Time key="created" at={createdAt} />],
          ]}
        />
      </Section>
      <AccountSettings account={account.data} />
      <HandoverSettings settings={handovers.data} />
    </Frame>
  );
};
