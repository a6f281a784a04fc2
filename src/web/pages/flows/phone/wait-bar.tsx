import { Anchor, Button, Text } from '@mantine/core';
import { unreachable } from '../../../../shared/unreachable.ts';
import { sayRunReason } from '../../../parts/say-run-reason.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { durationOf, sayClock, titleOf } from './say.ts';
import type { Simulation } from './transcript.ts';
import type { PhoneState } from './use-phone.ts';
import { words } from './words.ts';

/** Where the flow is: what it waits for with one tap to skip that, how it ended, or which block has failed. */
export const WaitBar = ({ phone: { simulation, session, send, composer } }: { phone: PhoneState }) => {
  const { definition, open } = useBuilder();
  if (!simulation) return <span />;
  const { status, wakes_at: wakesAt, now, reason, block_id: blockId } = simulation;
  if (status === 'failed')
    return (
      <Text size="sm" c="var(--mantine-color-error)" component="div" style={{ overflowWrap: 'anywhere' }}>
        {blockId === null ? (
          words.failed
        ) : (
          <Anchor
            component="button"
            type="button"
            size="sm"
            c="inherit"
            underline="always"
            ta="start"
            onClick={() => open(blockId)}
          >
            {words.failedAt(titleOf(definition, blockId))}
          </Anchor>
        )}{' '}
        {reason === null ? words.unknownReason : sayRunReason(reason)}
      </Text>
    );
  const time = wakesAt === null ? undefined : sayClock(wakesAt, session.now);
  return (
    <>
      <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: 'anywhere', flex: '1 1 0', minWidth: 120 }}>
        {sayWhere(simulation, time, (id) => titleOf(definition, id))}
      </Text>
      {wakesAt !== null && time !== undefined && status === 'waiting' && (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            send({ after: durationOf(Date.parse(wakesAt) - Date.parse(now)) });
            composer.current?.focus();
          }}
        >
          {words.skip(time)}
        </Button>
      )}
    </>
  );
};

const limits: Readonly<Record<string, string>> = words.limits;

const sayWhere = (
  { status, waiting, reason, block_id: blockId }: Simulation,
  time: string | undefined,
  nameOf: (id: string) => string,
): string => {
  if (status === 'completed') return words.ended;
  if (status === 'cancelled') return reason === null ? words.cancelled : `${words.cancelled} ${sayRunReason(reason)}`;
  switch (waiting) {
    case 'reply':
      return time === undefined ? words.waits.reply : words.waits.replyUntil(time);
    case 'event':
      return time === undefined ? words.waits.event : words.waits.eventUntil(time);
    case 'handover':
      return time === undefined ? words.waits.handover : words.waits.handoverUntil(time);
    case 'delay':
      return time === undefined ? words.waits.running : words.waits.until(time);
    case 'mock':
      return words.waits.mock(nameOf(blockId ?? ''));
    case 'limit':
      return limits[reason ?? ''] ?? words.limits.internal_error;
    case 'child':
    case 'foreground':
    case 'silence':
    case 'paused':
    case 'call':
      return words.waits[waiting];
    case null:
      return words.waits.running;
    default:
      return unreachable(waiting);
  }
};
