import { client } from '../../../api/client.ts';
import { confirm } from '../../../parts/confirm.tsx';
import { showDone } from '../../../parts/show-done.tsx';
import type { AnyDefinition } from '../definition-text.ts';
import { share } from '../draft/parts.ts';
import type { Draft } from '../draft/use-draft.ts';
import { words as flowWords } from '../words.ts';
import { words } from './words.ts';

/** Makes the definition of a version the draft, as a step that can be undone. */
const take = async (draft: Draft, { flowId, version, label }: Taken & { label: string }): Promise<void> => {
  const path = { id: flowId, version: String(version) };
  const { data } = await client.GET('/flows/{id}/versions/{version}', { params: { path } });
  if (!data) return;
  const definition: AnyDefinition = data.definition;
  draft.edit({ label }, (before) => share(before, definition));
  await draft.save();
};

type Taken = { flowId: string; version: number };

/** Makes a version the draft again, after asking. */
export const restoreVersion = (draft: Draft, taken: Taken, then?: () => void): void =>
  confirm({
    title: flowWords.draft.restoreTitle(taken.version),
    children: flowWords.draft.restoreText,
    action: flowWords.draft.restore,
    onConfirm: async () => {
      await take(draft, { ...taken, label: words.restoreStep(taken.version) });
      showDone({ message: flowWords.draft.restored(taken.version) });
      then?.();
    },
  });

/** Makes the live version the draft again, after asking. */
export const discardDraft = (draft: Draft, live: Taken): void =>
  confirm({
    title: words.discardTitle,
    children: words.discardText,
    action: words.discard,
    isDangerous: true,
    onConfirm: async () => {
      await take(draft, { ...live, label: words.discardStep });
      showDone({ message: words.discarded });
    },
  });
