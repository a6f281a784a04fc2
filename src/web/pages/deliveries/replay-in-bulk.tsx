import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { mayAs } from '../../api/session.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import type { LogFilters } from './use-log-filters.ts';
import { words } from './words.ts';

const NewReplay = lazy(async () => ({ default: (await import('../replays/new-replay.tsx')).NewReplay }));

/** Begins a bulk replay of what the log is narrowed to. */
export const ReplayInBulk = ({ filters }: { filters: LogFilters }) => {
  const [isOpen, { open, close }] = useDisclosure();
  const mayReplay = mayAs('editor', useSignedIn());
  if (!mayReplay) return null;
  const { event, event_id, contact_id, message_id, test } = filters;
  const isNarrower = [event, event_id, contact_id, message_id, test].some((value) => value !== undefined);
  return (
    <>
      <Button variant="default" onClick={open}>
        {words.replayInBulk}
      </Button>
      {isOpen && (
        <Suspense>
          <NewReplay close={close} filter={filters} isNarrower={isNarrower} />
        </Suspense>
      )}
    </>
  );
};
