import { Anchor, Group, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client.ts';
import { Time } from '../../parts/time.tsx';
import { useMayOpen } from '../../parts/use-may-open.ts';
import { sumOf, told } from './say-count.ts';
import { words } from './words.ts';

type Matter = { key: string; to: string; words: string; more?: ReactNode };

/** What somebody should look at, the gravest first; each leads to where it is mended. */
export const Attention = ({ overview }: { overview: Schemas['Overview'] }) => {
  const { disabled_webhooks, lost_deliveries, backlog, failing_flows, handovers } = overview;
  const mayOpen = useMayOpen();
  const lost = sumOf(lost_deliveries.failed, lost_deliveries.dropped);
  const sinceWhen = (at: string | null): ReactNode => at && <Time at={at} format="ago" />;

  const matters: Matter[] = [
    ...disabled_webhooks.data.map(({ id, url, disabled_reason, disabled_at, parked }) => ({
      key: id,
      to: `/settings/webhooks/${id}`,
      words: disabled_reason === 'unverified' ? words.unverified(url) : words.disabled(url),
      more: (
        <>
          {sinceWhen(disabled_at)} {parked.count > 0 && `· ${words.parked(told(parked))}`}
        </>
      ),
    })),
    ...(disabled_webhooks.more ? [{ key: 'webhooks', to: '/settings/webhooks', words: words.moreWebhooks }] : []),
    ...(lost.count > 0
      ? [
          {
            key: 'lost',
            to: '/settings/logs/delivery?status=failed,dropped',
            words: words.lost(told(lost)),
          },
        ]
      : []),
    ...(backlog.overdue.count > 0
      ? [
          {
            key: 'overdue',
            to: '/settings/logs/delivery?status=pending,retrying',
            words: words.overdue(told(backlog.overdue)),
            more: sinceWhen(backlog.oldest_overdue_at),
          },
        ]
      : []),
    ...failing_flows.data.map(({ id, name, failed_runs }) => ({
      key: id,
      to: `/flows/${id}`,
      words: words.flow({ name, ...told(failed_runs) }),
    })),
    ...(failing_flows.more ? [{ key: 'flows', to: '/flows', words: words.moreFlows }] : []),
    ...(handovers.unassigned.count > 0
      ? [
          {
            key: 'handovers',
            to: '/conversations?state=handover',
            words: words.handovers(told(handovers.unassigned)),
            more: sinceWhen(handovers.oldest_unassigned_at),
          },
        ]
      : []),
  ];

  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {words.attention}
      </Title>
      {matters.length === 0 ? (
        <>
          <Text>{words.allWell}</Text>
          <Text c="dimmed" size="sm">
            {words.allWellHint}
          </Text>
        </>
      ) : (
        <List spacing="xs">
          {matters.map(({ key, to, words, more }) => (
            <List.Item key={key}>
              <Group gap="xs" wrap="wrap">
                {mayOpen(to) ? (
                  <Anchor component={Link} to={to} style={{ overflowWrap: 'anywhere' }}>
                    {words}
                  </Anchor>
                ) : (
                  <Text component="span" style={{ overflowWrap: 'anywhere' }}>
                    {words}
                  </Text>
                )}
                {more && (
                  <Text size="sm" c="dimmed" component="span">
                    {more}
                  </Text>
                )}
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
};
