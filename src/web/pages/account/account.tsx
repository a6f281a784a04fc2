import { useTranslation } from 'react-i18next';
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

/** Settings, Account: plan and limits, name, time zone, custom fields, handovers. */
export const Page = () => {
  const { t } = useTranslation('account');
  const { installation } = useSignedIn();
  const account = api.useQuery('get', '/account');
  const handovers = api.useQuery('get', '/handover-settings');
  const error = account.error ?? handovers.error;
  const retry = (): void => void Promise.all([account.refetch(), handovers.refetch()]);
  if (!account.data || !handovers.data) return <LoadingPage title={t('title')} error={error} retry={retry} />;
  const { id, email, plan, limits, created_at: createdAt } = account.data;
  return (
    <Frame title={t('title')}>
      <Section title={t('facts')}>
        <Facts
          facts={[
            [t('id'), <Copyable key="id" value={id} label={t('id')} />],
            [t('email'), email],
            [t('plan'), t(`plans.${plan}`)],
            [t('webhooks'), limits.webhooks > 0 ? t('webhooksAtMost', { count: limits.webhooks }) : t('webhooksNone')],
            [t('users'), t('usersAtMost', { count: limits.users })],
            [t('requests'), t('requestsAtMost', { count: limits.requests_per_minute })],
            [t('retention'), t('retentionDays', { count: installation.retention_days })],
            [t('created'), <Time key="created" at={createdAt} />],
          ]}
        />
      </Section>
      <AccountSettings account={account.data} />
      <HandoverSettings settings={handovers.data} />
    </Frame>
  );
};
