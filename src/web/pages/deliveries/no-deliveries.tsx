import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { Empty } from '../../parts/empty.tsx';
import { useMayOpen } from '../../parts/use-may-open.ts';
import { commonWords } from '../../words/common.ts';
import type { useLogFilters } from './use-log-filters.ts';
import { words } from './words.ts';

/** Why the log shows nothing, and what to do. */
export const NoDeliveries = ({ log }: { log: ReturnType<typeof useLogFilters> }) => {
  const mayOpen = useMayOpen();
  const { filters, isFiltered, setStatuses, clear } = log;
  if (!isFiltered)
    return (
      <Empty title={words.nothingFailed} action={<Button onClick={() => setStatuses([])}>{words.showAll}</Button>}>
        {words.nothingFailedHint}
      </Empty>
    );
  const { statuses, ...others } = filters;
  if (statuses.length === 0 && Object.values(others).every((value) => value === undefined))
    return (
      <Empty
        title={words.none}
        action={
          mayOpen('/settings/webhooks') && (
            <Button component={Link} to="/settings/webhooks">
              {words.toWebhooks}
            </Button>
          )
        }
      >
        {words.noneHint}
      </Empty>
    );
  return (
    <Empty
      title={words.nothingFound}
      action={
        <Button variant="default" onClick={clear}>
          {commonWords.clearFilters}
        </Button>
      }
    >
      {words.nothingFoundHint}
    </Empty>
  );
};
