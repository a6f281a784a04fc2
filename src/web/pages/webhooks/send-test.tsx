import { Alert, Anchor, Button, Group, Loader, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { eventsOfVariant } from '../../../shared/facts/names.ts';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { useSending } from '../../parts/use-sending.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { sayOutcome } from '../deliveries/say-attempt.ts';
import { Exchange } from './exchange.tsx';
import { words } from './words.ts';

type Webhook = Schemas['DashboardWebhookDetail'];

/** While a test event is under way, its outcome is asked for every so many ms, also where a proxy keeps the live hints away. */
const askAgainMs = 1_000;

/** Sends one event with sample data to a webhook, and shows what its endpoint answers. */
export const SendTest = ({ webhook: { id, variant, events, status } }: { webhook: Webhook }) => {
  const { account } = useSignedIn();
  const names = eventsOfVariant(variant);
  const [event, setEvent] = useState(() => names.find((name) => events.includes(name)) ?? 'new_message');
  const [sent, setSent] = useState<string>();
  const [failure, setFailure] = useState<unknown>(null);
  const { isSending, send } = useSending(setFailure);
  if (!account.webhooks_allowed) return null;

  const sendTest = async (): Promise<void> => {
    setFailure(null);
    setSent(undefined);
    const { data } = await client.POST('/webhooks/{id}/test', { params: { path: { id } }, body: { event } });
    setSent(data?.id);
    await invalidate('/deliveries');
  };

  return (
    <Section
      title={words.receiving.test}
      description={status === 'active' ? words.receiving.testHint : words.receiving.testDisabled}
    >
      {status === 'active' && (
        <Group align="flex-end" gap="sm">
          <Select
            label={words.receiving.testEvent}
            data={[...names]}
            value={event}
            allowDeselect={false}
            onChange={(value) => setEvent((before) => names.find((name) => name === value) ?? before)}
            miw={240}
          />
          <Button onClick={() => void send(sendTest)} loading={isSending}>
            {words.receiving.sendTest}
          </Button>
        </Group>
      )}
      {failure ? <Failure error={failure} /> : null}
      {sent !== undefined && <Outcome key={sent} id={sent} />}
    </Section>
  );
};

const isOver = (delivery: Schemas['DeliveryDetail'] | undefined): boolean =>
  delivery !== undefined && delivery.status !== 'pending' && delivery.status !== 'retrying';

/** What comes of a test event: it has one attempt. */
const Outcome = ({ id }: { id: string }) => {
  const { data, error, refetch } = api.useQuery(
    'get',
    '/deliveries/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (isOver(state.data) ? false : askAgainMs) },
  );
  const attempt = data?.attempts.at(-1);
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <div role="status">
      {attempt && <Tried attempt={attempt} />}
      {!attempt && isOver(data) && <Text size="sm">{words.receiving.testNotSent}</Text>}
      {!isOver(data) && (
        <Group gap="xs">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{words.receiving.testUnderWay}</Text>
        </Group>
      )}
      <Anchor component={Link} to={`/settings/logs/delivery/${id}`} size="sm" mt="xs" display="inline-block">
        {words.receiving.openDelivery}
      </Anchor>
    </div>
  );
};

const Tried = ({ attempt }: { attempt: Schemas['Attempt'] }) => {
  const { outcome, status_code, duration_ms, address, response_body } = attempt;
  const isGood = outcome === 'succeeded';
  return (
    <Alert
      color={isGood ? 'teal' : 'red'}
      variant="light"
      title={isGood ? words.receiving.testSucceeded : words.receiving.testFailed}
    >
      <Stack gap="sm">
        <Text size="sm">{sayOutcome(attempt)}</Text>
        <Exchange
          status={status_code}
          latencyMs={duration_ms}
          address={address}
          cause={null}
          answer={status_code === null ? null : (response_body ?? '')}
        />
      </Stack>
    </Alert>
  );
};
