import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useConnection } from '../api/connection.ts';
import { useHasStream } from '../live/stream-state.ts';
import { commonWords } from '../words/common.ts';
import { Time } from './time.tsx';
import { useSending } from './use-sending.ts';

/** When something was read that is shown, whether the last try to read it again has failed, and how to. */
export type Reading = { readAtMs: number; hasFailed: boolean; readAgain: () => Promise<unknown> };

type Query = { dataUpdatedAt: number; isRefetchError: boolean; refetch: () => Promise<unknown> };

/** What a query tells of its reading. */
export const readingOf = ({ dataUpdatedAt, isRefetchError, refetch }: Query): Reading => ({
  readAtMs: dataUpdatedAt,
  hasFailed: isRefetchError,
  readAgain: () => refetch(),
});

/**
 * Says of when it is what is shown, and reads it again, while nobody tells of changes or a try has failed. Nothing else: what is live needs no word, and
 * where the server is not reached at all the banner says so.
 */
export const Freshness = ({ of: { readAtMs, hasFailed, readAgain } }: { of: Reading }) => {
  const hasStream = useHasStream();
  const { state } = useConnection();
  const { isSending, send } = useSending();
  const isTold = readAtMs !== 0 && state === 'there' && (!hasStream || hasFailed);
  return (
    <span className="freshness" data-is-told={isTold}>
      {/* It is there before its words, which screen readers tell only then. */}
      <span role="status">
        {isTold && (
          <>
            {hasFailed && `${commonWords.notRefreshed} `}
            {commonWords.updated} {/* Each minute more is no news. */}
            <span aria-live="off">
              <Time at={new Date(readAtMs).toISOString()} />
            </span>
          </>
        )}
      </span>
      {isTold && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={isSending}
          onClick={() => void send(readAgain)}
        >
          {commonWords.refresh}
        </Button>
      )}
    </span>
  );
};
