import { Button, Grid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useParams } from 'react-router';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { KeptWarnings } from '../../parts/kept-warnings.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { readingOf } from '../../parts/freshness.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { commonWords } from '../../words/common.ts';
import { Attention } from './attention.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { placeOf } from './say-webhook.ts';
import { HealthSection } from './health.tsx';
import { ReEnable } from './re-enable.tsx';
import { Receivers } from './receivers.tsx';
import { RecentDeliveries } from './recent-deliveries.tsx';
import { SendTest } from './send-test.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { words } from './words.ts';

/** A webhook: what it is, what it needs, what was sent to it, and what helps with its endpoint. */
export const Page = () => {
  const { id = '' } = useParams();
  const path = { id };
  const asked = api.useQuery('get', '/webhooks/{id}', { params: { path } });
  const { data: webhook, error, refetch } = asked;
  const [isEditing, { open: edit, close: endEdit }] = useDisclosure();
  const navigate = useNavigate();
  const above = [{ title: words.title, to: '/settings/webhooks' }];

  const remove = ({ url }: Schemas['DashboardWebhook']): void =>
    confirm({
      title: words.deleteTitle(placeOf(url)),
      children: words.deleteText,
      action: commonWords.delete,
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/webhooks/{id}', { params: { path } });
        await navigate('/settings/webhooks');
        await invalidate('/webhooks');
      },
    });

  if (!webhook) return <LoadingPage title={words.title} above={above} error={error} retry={() => void refetch()} />;
  return (
    <Frame
      reading={readingOf(asked)}
      title={words.titleOf(placeOf(webhook.url))}
      above={above}
      actions={
        <>
          <Button variant="default" onClick={() => remove(webhook)}>
            {commonWords.delete}
          </Button>
          <Button onClick={edit}>{words.edit}</Button>
        </>
      }
    >
      <KeptWarnings of={id} names={{ url: words.url }} />
      <Attention webhook={webhook} />
      <ReEnable key={`re-enable ${id}`} webhook={webhook} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            <HealthSection health={webhook.health} />
            <RecentDeliveries webhookId={id} isActive={webhook.status === 'active'} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="md">
            <Section title={words.about}>
              <WebhookFacts webhook={webhook} />
            </Section>
            <SendTest key={`test ${id}`} webhook={webhook} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Receivers variant={webhook.variant} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <SignatureCheck key={`check ${id}`} webhook={webhook} />
        </Grid.Col>
      </Grid>
      {isEditing && <EditWebhook webhook={webhook} close={endEdit} />}
    </Frame>
  );
};
