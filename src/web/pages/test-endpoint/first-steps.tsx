import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconConfetti } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { To } from '../../parts/to.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSending } from '../../parts/use-sending.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { Chat } from './chat.tsx';
import { createFirstFlow, sendAsAda } from './first-flow.ts';
import { RequestDetails } from './request-details.tsx';
import { Step } from './step.tsx';
import { Talk } from './talk.tsx';
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
  const events = (requests?.data ?? [])
    .filter(({ kind, verification }) => kind === 'event' && verification.result === 'valid')
    .toReversed();
  const flow = flows?.find(({ name, status }) => name === words.flowName && status === 'live');
  const hasEvent = events.length > 0;
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
          <div role="status">
            {hasEvent ? <SignedEvents events={events} /> : <Text size="sm">{words.waiting}</Text>}
          </div>
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
        <Talk flowId={flow?.id} />
        <Chat number={6} isNext={flow !== undefined} />
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

/** The newest event of a first message is the message. The one before it is the contact, who was new. */
const namesAtMost = 2;

const SignedEvents = ({ events }: { events: readonly Schemas['TestRequestSummary'][] }) => {
  const names = [...new Set(events.map(({ event }) => event ?? ''))].slice(0, namesAtMost);
  const id = events.find(({ event }) => event === names.at(-1))?.id ?? '';
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
        {words.celebrateText(names)}
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
