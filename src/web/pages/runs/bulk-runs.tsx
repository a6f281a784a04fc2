import { Button } from '@mantine/core';
import { client } from '../../api/client.ts';
import { commonWords } from '../../words/common.ts';
import { BulkBar } from '../../parts/bulk-bar.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { useBulk, type Asked } from '../../parts/use-bulk.ts';
import type { Selection } from '../../parts/use-selection.ts';
import { words } from './words.ts';

const changes = ['/runs', '/flows', '/overview'];

/** What can be done with the selected runs. */
export const BulkOfRuns = ({ selection }: { selection: Selection }) => {
  const retrying = useBulk(selection, {
    request: (asked: Asked<object>) => client.POST('/bulk/runs/retry', asked),
    done: words.bulk.retried,
    changes,
  });
  const cancelling = useBulk(selection, {
    request: (asked: Asked<object>) => client.POST('/bulk/runs/cancel', asked),
    done: words.bulk.cancelled,
    changes,
  });
  const { size } = selection.selected;
  const retry = (): void =>
    confirm({
      title: words.bulk.retryTitle(size),
      children: words.bulk.retryText,
      action: words.retry,
      onConfirm: () => retrying.act({}),
    });
  const cancel = (): void =>
    confirm({
      title: words.bulk.cancelTitle(size),
      children: words.bulk.cancelText,
      action: words.bulk.cancel,
      keep: commonWords.keepThem,
      isDangerous: true,
      onConfirm: () => cancelling.act({}),
    });
  return (
    <BulkBar selection={selection}>
      <Button size="xs" variant="default" onClick={retry} loading={retrying.isSending}>
        {words.retry}
      </Button>
      <Button size="xs" variant="default" onClick={cancel} loading={cancelling.isSending}>
        {words.bulk.cancel}
      </Button>
    </BulkBar>
  );
};
