import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Kind = 'cancel' | 'retry';

const ask = async (kind: Kind, body: Schemas['RunsToChange']): Promise<Schemas['ChangedRuns'] | undefined> =>
  (await (kind === 'cancel' ? client.POST('/runs/cancel', { body }) : client.POST('/runs/retry', { body }))).data;

type Props = { flowId: string; blockId: string | undefined };

/**
 * Cancels or retries all runs of a flow, or those at a block: two hundred at a time, with how far it is, and a way to stop. It also stops when its page
 * is left.
 */
export const BulkRuns = ({ flowId, blockId }: Props) => {
  const [changed, setChanged] = useState<number>();
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );
  const body = { flow_id: flowId, ...(blockId !== undefined && { block_id: blockId }) };

  const changeAll = async (kind: Kind): Promise<void> => {
    isStopped.current = false;
    let [done, refused, hasMore] = [0, 0, true];
    setChanged(0);
    try {
      while (hasMore && !isStopped.current) {
        const answer = await ask(kind, body);
        done += answer?.changed ?? 0;
        refused += answer?.refused ?? 0;
        setChanged(done);
        // Of those that are all refused the same would be asked for again and again.
        hasMore = (answer?.more ?? false) && (answer?.changed ?? 0) > 0;
      }
      const told = hasMore
        ? words.runs.bulk.stopped(done)
        : kind === 'cancel'
          ? words.runs.bulk.cancelled(done)
          : words.runs.bulk.retried(done);
      const message = refused > 0 ? `${told}. ${words.runs.bulk.refused(refused)}` : told;
      showDone({ message });
    } finally {
      setChanged(undefined);
      await invalidate('/runs', '/flows');
    }
  };
  const confirmFor = (kind: Kind): void =>
    confirm({
      title:
        blockId === undefined ? words.runs.bulk[`${kind}All` as const] : words.runs.bulk[`${kind}At` as const](blockId),
      children: words.runs.bulk[`${kind}Text` as const],
      action: words.runs.bulk[kind],
      ...(kind === 'cancel' && { keep: commonWords.keepThem, isDangerous: true }),
      onConfirm: () => changeAll(kind),
    });

  if (changed !== undefined)
    return (
      <Alert role="status">
        <Group gap="sm">
          <Text size="sm">{words.runs.bulk.working(changed)}</Text>
          <Button size="xs" variant="default" onClick={() => (isStopped.current = true)}>
            {words.runs.bulk.stop}
          </Button>
        </Group>
      </Alert>
    );
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => confirmFor('retry')}>
        {words.runs.bulk.retry}
      </Button>
      <Button variant="default" onClick={() => confirmFor('cancel')}>
        {words.runs.bulk.cancel}
      </Button>
    </Group>
  );
};
