import type { Schemas } from '../../api/client.ts';
import { BulkProgress } from '../../parts/bulk-work.tsx';

/** How far a replay is. */
export const ReplayProgress = ({
  replay: { replayed, skipped, total, more_than_total: isMore },
}: {
  replay: Schemas['Replay'];
}) => <BulkProgress done={replayed + skipped} total={total} isMore={isMore} />;
