import { Button, Grid, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { Copyable } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { To } from '../../parts/to.tsx';
import { useSending } from '../../parts/use-sending.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { AnswerForm } from './answer-form.tsx';
import { Requests } from './requests.tsx';
import { createTestWebhook, useTestEndpoint } from './use-test-endpoint.ts';
import { words } from './words.ts';

/** Developers, Test endpoint: an address of the installation, what came there, and what it answers. */
export const Page = () => {
  const { installation } = useSignedIn();
  return installation.test_endpoint ? (
    <Endpoint />
  ) : (
    <Frame title={words.title} description={words.description}>
      <Empty title={words.none}>{words.noneHint}</Empty>
    </Frame>
  );
};

const Endpoint = () => {
  const { endpoint, webhook, isKnown, error, retry } = useTestEndpoint();
  const { isSending, send } = useSending();
  if (!endpoint) return <LoadingPage title={words.title} error={error} retry={retry} />;
  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={
        <Button variant="default" component={Link} to="/first-steps">
          {words.steps.open}
        </Button>
      }
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }} order={{ base: 2, lg: 1 }}>
          <Requests />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }} order={{ base: 1, lg: 2 }}>
          <Stack gap="md">
            <Section
              title={words.address}
              description={words.addressHint}
              actions={
                isKnown &&
                !webhook && (
                  <Button size="xs" loading={isSending} onClick={() => void send(() => createTestWebhook(endpoint))}>
                    {words.createWebhook}
                  </Button>
                )
              }
            >
              <Copyable value={endpoint.url} label={words.url} />
              {webhook && <To to={`/settings/webhooks/${webhook.id}`}>{words.webhook}</To>}
            </Section>
            <AnswerForm answer={endpoint.answer} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Frame>
  );
};
