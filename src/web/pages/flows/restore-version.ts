import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { words } from './words.ts';

/** Makes a version the draft again, after asking. */
export const restoreVersion = (flowId: string, version: number, then?: () => void): void =>
  confirm({
    title: words.draft.restoreTitle(version),
    children: words.draft.restoreText,
    action: words.draft.restore,
    isDangerous: true,
    onConfirm: async () => {
      const path = { id: flowId, version: String(version) };
      await client.POST('/flows/{id}/versions/{version}/restore', { params: { path } });
      await invalidate('/flows');
      showDone({ message: words.draft.restored(version) });
      then?.();
    },
  });
