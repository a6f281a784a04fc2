import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconConfetti } from '@tabler/icons-react';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { To } from '../../parts/to.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSending } from '../../parts/use-sending.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { createFirstFlow, mappedField, sendAsAda } from './first-flow.ts';
import { RequestDetails } from './request-details.tsx';
import { Step } from './step.tsx';
import { createTestWebhook, useTestEndpoint, useTestRequests } from './use-test-endpoint.ts';
import { words as all } from './words.ts';
import './first-steps.css';

const words = all.steps;

/** From nothing to a signed event, and to a flow that maps a field, by clicks alone. */
export const Page = () => {
  const { installation } = useSignedIn();
  return installation.test_endpoint ? (
    <Steps />
  ) : (
    <Frame title={words.title}>
      <Empty title={all.none}>{all.noneHint}</Empty>
    </Frame>
  );
};

const Steps = () => {
  const { endpoint, webhook, isKnown, error, retry } = useTestEndpoint();
  const { data: requests } = useTestRequests();
  const { rows: flows } = useList('/flows', { limit: 200 });
  const [isSent, setSent] = useState(false);
  if (!endpoint || !isKnown) return <LoadingPage title={words.title} error={error} retry={retry} />;
  const isVerified = webhook?.status === 'active';
  const event = requests?.data.findLast(
    ({ kind, verification }) => kind === 'event' && verification.result === 'valid',
  );
  const flow = flows?.find(({ name, status }) => name === words.flowName && status === 'live');
  const hasEvent = event !== undefined;
  return (
    <Frame title={words.title} description={words.description}>
      <Stack gap="md" maw={760}>
        <Step number={1} title={words.webhook} hint={words.webhookHint} isDone={isVerified} isNext={!isVerified}>
          <Webhook endpoint={endpoint} webhook={webhook} />
        </Step>
        <Step
          number={2}
          title={words.message}
          hint={words.messageHint}
          isDone={isSent || hasEvent}
          isNext={isVerified && !isSent}
        >
          {isSent || hasEvent ? <Text size="sm">{words.sent}</Text> : <Hello onSent={() => setSent(true)} />}
        </Step>
        <Step
          number={3}
          title={words.event}
          hint={words.eventHint}
          isDone={hasEvent}
          isNext={isVerified && isSent && !hasEvent}
        >
          <div role="status">{event ? <SignedEvent event={event} /> : <Text size="sm">{words.waiting}</Text>}</div>
        </Step>
        <Step
          number={4}
          title={words.flow}
          hint={words.flowHint}
          isDone={flow !== undefined}
          isNext={hasEvent && flows !== undefined}
        >
          {flow ? (
            <Group gap="md">
              <Text size="sm">{words.flowDone}</Text>
              <To to={`/flows/${flow.id}`}>{words.openFlow}</To>
            </Group>
          ) : (
            <CreateFlow url={endpoint.url} />
          )}
        </Step>
        <Talk isNext={flow !== undefined} />
      </Stack>
    </Frame>
  );
};

type WebhookProps = { endpoint: Schemas['TestEndpoint']; webhook: Schemas['DashboardWebhook'] | undefined };

const Webhook = ({ endpoint, webhook }: WebhookProps) => {
  const { isSending, send } = useSending();
  if (webhook)
    return (
      <Group gap="md">
        <Text size="sm">{webhook.status === 'active' ? words.webhookDone : all.notVerified}</Text>
        <To to={`/settings/webhooks/${webhook.id}`}>{all.webhook}</To>
      </Group>
    );
  return (
    <Group>
      <Button loading={isSending} onClick={() => void send(() => createTestWebhook(endpoint))}>
        {all.createWebhook}
      </Button>
    </Group>
  );
};

const Hello = ({ onSent }: { onSent: () => void }) => {
  const [text, setText] = useState<string>(words.hello);
  const { isSending, send } = useSending();
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label={words.text}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        flex={1}
        miw={180}
      />
      <Button
        loading={isSending}
        disabled={text.trim() === ''}
        onClick={() =>
          void send(async () => {
            await sendAsAda(text);
            onSent();
          })
        }
      >
        {words.send}
      </Button>
    </Group>
  );
};

const SignedEvent = ({ event: { id, event } }: { event: Schemas['TestRequestSummary'] }) => {
  const [isShown, setShown] = useState(false);
  return (
    <Stack gap="sm">
      <Alert
        color="teal"
        variant="light"
        title={words.celebrate}
        icon={<IconConfetti aria-hidden />}
        className="celebration"
      >
        {words.celebrateText(event ?? '')}
      </Alert>
      <Group gap="md">
        {!isShown && (
          <Button variant="default" size="xs" onClick={() => setShown(true)}>
            {words.show}
          </Button>
        )}
        <To to="/settings/test-endpoint">{words.all}</To>
      </Group>
      {isShown && <RequestDetails id={id} />}
    </Stack>
  );
};

const CreateFlow = ({ url }: { url: string }) => {
  const { isSending, send } = useSending();
  return (
    <Group>
      <Button loading={isSending} onClick={() => void send(() => createFirstFlow(url))}>
        {words.createFlow}
      </Button>
    </Group>
  );
};

/** A contact writes to the flow, and the field that it maps is seen. */
const Talk = ({ isNext }: { isNext: boolean }) => {
  const [contactId, setContactId] = useState<string>();
  const { isSending, send } = useSending();
  const { data: contact } = api.useQuery(
    'get',
    '/contacts/{id}',
    { params: { path: { id: contactId ?? '' } } },
    { enabled: contactId !== undefined, refetchInterval: 1_000 },
  );
  const value = contact?.custom_fields[mappedField];
  const isMapped = typeof value === 'string';
  return (
    <Step number={5} title={words.talk} hint={words.talkHint} isDone={isMapped} isNext={isNext}>
      {isMapped ? null : (
        <Group>
          <Button loading={isSending} onClick={() => void send(async () => setContactId(await sendAsAda(words.order)))}>
            {words.sendOrder}
          </Button>
        </Group>
      )}
      <div role="status">
        {contactId !== undefined && !isMapped && <Text size="sm">{words.talking}</Text>}
        {isMapped && (
          <Stack gap="sm">
            <Alert
              color="teal"
              variant="light"
              title={words.mapped}
              icon={<IconConfetti aria-hidden />}
              className="celebration"
            >
              <Code>{mappedField}</Code> {words.mappedText(value)}
            </Alert>
            <Group gap="md">
              <To to={`/contacts/${contactId}`}>{words.openContact}</To>
              <To to="/settings/test-endpoint">{words.all}</To>
              <To to="/settings/webhooks">{words.ownServer}</To>
            </Group>
            <Text size="sm" c="dimmed">
              {words.nextHint}
            </Text>
          </Stack>
        )}
      </div>
    </Step>
  );
};
