import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client.ts';
import { Time } from '../../parts/time.tsx';
import type { Tone } from '../../parts/status.tsx';
import { sumOf, told } from './say-count.ts';
import { TakeHandover } from './take-handover.tsx';
import { words } from './words.ts';
import { ReEnableHere } from './re-enable-here.tsx';

/** How grave something is: somebody is lost meanwhile, it gets worse by itself, or it is to be known. */
export type Severity = 'urgent' | 'warning' | 'notice';

export const tones: Record<Severity, Tone> = { urgent: 'bad', warning: 'waiting', notice: 'off' };

/** Something that needs attention: it leads to where it is repaired, if that is a page, and where one click is enough, that is beside it. */
export type Matter = {
  key: string;
  severity: Severity;
  to?: string;
  words: string;
  more?: ReactNode;
  action?: ReactNode;
};

const sinceWhen = (at: string | null): ReactNode => at && <Time at={at} />;

/** What needs attention in an account, the gravest first. */
export const mattersOf = (overview: Schemas['Overview']): Matter[] => {
  const { urgent, warning, notice } = Object.groupBy(
    [
      ...ofHandovers(overview),
      ...ofWebhooks(overview),
      ...ofDeliveries(overview),
      ...ofFlows(overview),
      ...ofCredentials(overview),
      ...ofFiles(overview),
    ],
    ({ severity }) => severity,
  );
  return [...(urgent ?? []), ...(warning ?? []), ...(notice ?? [])];
};

const ofHandovers = ({ handovers }: Schemas['Overview']): Matter[] => {
  const { unassigned, waiting } = handovers;
  const rest = unassigned.count - waiting.length;
  return [
    ...waiting.map(({ id, contact_name, conversation_id, contact_id, created_at }) => ({
      key: id,
      severity: 'urgent' as const,
      to: conversation_id ? `/inbox/${conversation_id}` : `/contacts/${contact_id}`,
      words: words.waitsForAgent(contact_name),
      more: sinceWhen(created_at),
      action: <TakeHandover id={id} name={contact_name} />,
    })),
    ...(rest > 0
      ? [
          {
            key: 'handovers',
            severity: 'urgent' as const,
            to: '/conversations?state=handover',
            words: words.moreHandovers({ count: rest, number: told({ count: rest, more: unassigned.more }).number }),
          },
        ]
      : []),
  ];
};

const ofWebhooks = ({ disabled_webhooks, failing_webhooks }: Schemas['Overview']): Matter[] => [
  ...disabled_webhooks.data.map(({ id, url, disabled_reason, disabled_at, parked }) => {
    const isUnverified = disabled_reason === 'unverified';
    return {
      key: id,
      severity: isUnverified ? ('notice' as const) : ('urgent' as const),
      to: `/settings/webhooks/${id}`,
      words: isUnverified ? words.unverified(url) : words.disabled(url),
      more: (
        <>
          {sinceWhen(disabled_at)} {parked.count > 0 && `· ${words.parked(told(parked))}`}
        </>
      ),
      ...(!isUnverified && { action: <ReEnableHere id={id} url={url} /> }),
    };
  }),
  ...(disabled_webhooks.more
    ? [{ key: 'webhooks', severity: 'urgent' as const, to: '/settings/webhooks', words: words.moreWebhooks }]
    : []),
  ...failing_webhooks.map(({ id, url, failing_since }) => ({
    key: id,
    severity: 'warning' as const,
    to: `/settings/webhooks/${id}`,
    words: words.failing(url),
    more: sinceWhen(failing_since),
  })),
];

const ofDeliveries = ({ lost_deliveries, backlog }: Schemas['Overview']): Matter[] => {
  const lost = sumOf(lost_deliveries.failed, lost_deliveries.dropped);
  return [
    ...(lost.count > 0
      ? [
          {
            key: 'lost',
            severity: 'warning' as const,
            to: '/settings/logs/delivery?status=failed,dropped',
            words: words.lost(told(lost)),
          },
        ]
      : []),
    ...(backlog.overdue.count > 0
      ? [
          {
            key: 'overdue',
            severity: 'warning' as const,
            to: '/settings/logs/delivery?status=pending,retrying',
            words: words.overdue(told(backlog.overdue)),
            more: sinceWhen(backlog.oldest_overdue_at),
          },
        ]
      : []),
  ];
};

const ofCredentials = ({ refused_credentials }: Schemas['Overview']): Matter[] => [
  ...refused_credentials.data.map(({ id, name, refused_at }) => ({
    key: id,
    severity: 'urgent' as const,
    to: '/settings/credentials',
    words: words.reconnect(name),
    more: sinceWhen(refused_at),
  })),
  ...(refused_credentials.more
    ? [{ key: 'credentials', severity: 'urgent' as const, to: '/settings/credentials', words: words.moreCredentials }]
    : []),
];

const ofFlows = ({ failing_flows }: Schemas['Overview']): Matter[] => [
  ...failing_flows.data.map(({ id, name, failed_runs, last_failed_at }) => ({
    key: id,
    severity: 'warning' as const,
    to: `/flows/${id}`,
    words: words.flow({ name, ...told(failed_runs) }),
    more: sinceWhen(last_failed_at),
  })),
  ...(failing_flows.more ? [{ key: 'flows', severity: 'warning' as const, to: '/flows', words: words.moreFlows }] : []),
];

/** So full, there is still time to ask the operator for more. */
const nearlyFull = 0.9;

const ofFiles = ({ files: kept }: Schemas['Overview']): Matter[] => {
  const part = Math.max(kept.bytes / kept.bytes_at_most, kept.files / kept.files_at_most);
  if (part < nearlyFull) return [];
  return [
    { key: 'files', severity: 'warning' as const, words: words.filesNearlyFull(part), more: words.filesNearlyFullHint },
  ];
};
