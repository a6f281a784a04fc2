import { Button } from '@mantine/core';
import { client } from '../../api/client.ts';
import { commonWords } from '../../words/common.ts';
import { BulkBar } from '../../parts/bulk-bar.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { useBulk } from '../../parts/use-bulk.ts';
import type { Selection } from '../../parts/use-selection.ts';
import { words } from './words.ts';

const changes = ['/runs', '/flows', '/overview'];

/** What can be done with the selected runs. */
export const BulkOfRuns = ({ selection }: { selection: Selection }) => {
  const { isSending, act } = useBulk(selection);
  const { size } = selection.selected;
  const retry = (): void =>
    confirm({
      title: words.bulk.retryTitle(size),
      children: words.bulk.retryText,
      action: words.retry,
      onConfirm: () =>
        act({
          request: (ids) => client.POST('/bulk/runs/retry', { body: { ids } }),
          done: words.bulk.retried,
          changes,
        }),
    });
  const cancel = (): void =>
    confirm({
      title: words.bulk.cancelTitle(size),
      children: words.bulk.cancelText,
      action: words.bulk.cancel,
      keep: commonWords.keepThem,
      isDangerous: true,
      onConfirm: () =>
        act({
          request: (ids) => client.POST('/bulk/runs/cancel', { body: { ids } }),
          done: words.bulk.cancelled,
          changes,
        }),
    });
  return (
    <BulkBar selection={selection}>
      <Button size="xs" variant="default" onClick={retry} loading={isSending}>
        {words.retry}
      </Button>
      <Button size="xs" variant="default" onClick={cancel} loading={isSending}>
        {words.bulk.cancel}
      </Button>
    </BulkBar>
  );
};
