import { Skeleton, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client.ts';
import { Time } from '../../../parts/time.tsx';
import { useOpenHandover } from '../../../parts/open-handover.tsx';
import { words } from './words.ts';

type Props = { contact: Schemas['Contact']; isPaused: boolean };

/** Whether flows may write to the contact, and if not, what keeps them from it: the one reason that outlasts the others. */
export const AutomationState = ({ contact: { id, status, automation_paused_until: until }, isPaused }: Props) => {
  const { handover, isLoading } = useOpenHandover(id);
  if (status !== 'active') return <Text size="sm">{words.automationOff[status]}</Text>;
  if (handover) return <Text size="sm">{words.automationInHandover}</Text>;
  if (isLoading) return <Skeleton height={20} />;
  return (
    <Text size="sm">
      {isPaused && until !== null ? (
        <>
          {words.paused} <Time at={until} />
        </>
      ) : (
        words.running
      )}
    </Text>
  );
};
