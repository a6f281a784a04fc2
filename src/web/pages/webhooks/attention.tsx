import { Alert, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { CheckOutcome } from './check-outcome.tsx';
import { VerifyAgain } from './verify-again.tsx';
import { words } from './words.ts';

type Props = { webhook: Schemas['DashboardWebhookDetail'] };

/** What keeps a webhook, or its new address, from being sent to, and what can be done. */
export const Attention = ({ webhook }: Props) => {
  const { account } = useSignedIn();
  if (!account.webhooks_allowed)
    return (
      <Alert color="yellow" title={words.planTitle}>
        {words.planHint} {words.planLapsed}
      </Alert>
    );
  if (webhook.pending_url !== null) return <Unproven webhook={webhook} title={words.pendingTitle} />;
  if (webhook.disabled_reason === 'unverified') return <Unproven webhook={webhook} title={words.unverifiedTitle} />;
  if (webhook.health.failing_since !== null)
    return (
      <Alert color="yellow" title={words.failingTitle}>
        {words.failingText[webhook.variant]}
      </Alert>
    );
  return null;
};

const Unproven = ({ webhook: { id, url, pending_url, last_check }, title }: Props & { title: string }) => (
  <Stack gap="sm">
    <Alert color="yellow" title={title}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {pending_url === null ? words.unverifiedText : words.pendingText({ url, pending: pending_url })}
      </Text>
      <Group mt="sm">
        <VerifyAgain id={id} />
      </Group>
    </Alert>
    {last_check && !last_check.ok && <CheckOutcome check={last_check} title={words.lastChallenge} />}
  </Stack>
);
