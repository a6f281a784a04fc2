import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { BulkActions } from '../../parts/bulk-work.tsx';
import { words } from './words.ts';

/** What can be done with a bulk replay that is not over. */
export const ReplayActions = ({ replay: { id, status } }: { replay: Schemas['Replay'] }) => {
  const params = { path: { id } };
  const change = async (asked: Promise<unknown>): Promise<void> => {
    await asked;
    await invalidate('/replays');
  };
  return (
    <BulkActions
      status={status}
      cancelWords={{ action: words.cancel, title: words.cancelTitle, text: words.cancelText }}
      pause={() => change(client.POST('/replays/{id}/pause', { params }))}
      resume={() => change(client.POST('/replays/{id}/resume', { params }))}
      cancel={() => change(client.POST('/replays/{id}/cancel', { params }))}
    />
  );
};
