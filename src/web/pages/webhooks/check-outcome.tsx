import { Alert, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Exchange } from './exchange.tsx';

type Props = { check: Schemas['EndpointCheck']; title: string };

/** What an endpoint answered when it was asked, and what that means. */
export const CheckOutcome = ({ check, title }: Props) => {
  const { t } = useTranslation('webhooks');
  const { ok, reason, status } = check;
  return (
    <Alert color={ok ? 'teal' : 'red'} variant="light" title={title} role="status">
      <Stack gap="sm">
        {reason && <Text size="sm">{t(`checks.${reason}`, { status: status ?? '' })}</Text>}
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
