import { Button } from '@mantine/core';
import { client } from '../../api/client.ts';
import { BulkBar } from '../../parts/bulk-bar.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { useBulk, type Asked } from '../../parts/use-bulk.ts';
import type { Selection } from '../../parts/use-selection.ts';
import { words } from './words.ts';

/** What can be done with the selected deliveries. */
export const BulkDeliveries = ({ selection }: { selection: Selection }) => {
  const { isSending, act } = useBulk(selection, {
    request: (asked: Asked<object>) => client.POST('/bulk/deliveries/replay', asked),
    done: words.bulk.replayed,
    changes: ['/deliveries', '/webhooks', '/overview'],
  });
  const replay = (): void =>
    confirm({
      title: words.bulk.replayTitle(selection.selected.size),
      children: words.replayText,
      action: words.replay,
      onConfirm: () => act({}),
    });
  return (
    <BulkBar selection={selection}>
      <Button size="xs" variant="default" onClick={replay} loading={isSending}>
        {words.replay}
      </Button>
    </BulkBar>
  );
};
