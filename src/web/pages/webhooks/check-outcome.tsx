import { Alert, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { Exchange } from './exchange.tsx';
import { words } from './words.ts';

type Props = { check: Schemas['EndpointCheck']; title: string };

/** What an endpoint answered when it was asked, and what that means. */
export const CheckOutcome = ({ check, title }: Props) => {
  const { ok, reason, status } = check;
  return (
    <Alert color={ok ? 'teal' : 'red'} variant="light" title={title} role="status">
      <Stack gap="sm">
        {reason && <Text size="sm">{reason === 'status' ? words.not200(status) : words.checks[reason]}</Text>}
        <Exchange
          url={check.url}
          at={check.at}
          status={status}
          latencyMs={check.latency_ms}
          address={check.address}
          cause={status === null ? check.message : null}
          answer={check.excerpt}
        />
      </Stack>
    </Alert>
  );
};
