import { Alert, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';

type Kind = 'cancel' | 'retry';

const ask = async (kind: Kind, body: Schemas['RunsToChange']): Promise<Schemas['ChangedRuns'] | undefined> =>
  (await (kind === 'cancel' ? client.POST('/runs/cancel', { body }) : client.POST('/runs/retry', { body }))).data;

type Props = { flowId: string; blockId: string | undefined };

/**
 * Cancels or retries all runs of a flow, or those at a block: two hundred at a time, with how far it is, and a way to stop. It also stops when its page
 * is left.
 */
export const BulkRuns = ({ flowId, blockId }: Props) => {
  const { t } = useTranslation(['runs', 'shell']);
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
        ? t('bulk.stopped', { count: done })
        : t(kind === 'cancel' ? 'bulk.cancelled' : 'bulk.retried', { count: done });
      const message = refused > 0 ? `${told}. ${t('bulk.refused', { count: refused })}` : told;
      notifications.show({ message, color: 'green' });
    } finally {
      setChanged(undefined);
      await invalidate('/runs', '/flows');
    }
  };
  const confirmFor = (kind: Kind): void =>
    confirm({
      title: blockId === undefined ? t(`bulk.${kind}All`) : t(`bulk.${kind}At`, { block: blockId }),
      children: t(`bulk.${kind}Text`),
      action: t(`bulk.${kind}`),
      ...(kind === 'cancel' && { keep: t('shell:keepThem'), isDangerous: true }),
      onConfirm: () => changeAll(kind),
    });

  if (changed !== undefined)
    return (
      <Alert role="status">
        <Group gap="sm">
          <Text size="sm">{t('bulk.working', { count: changed })}</Text>
          <Button size="xs" variant="default" onClick={() => (isStopped.current = true)}>
            {t('bulk.stop')}
          </Button>
        </Group>
      </Alert>
    );
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => confirmFor('retry')}>
        {t('bulk.retry')}
      </Button>
      <Button variant="default" onClick={() => confirmFor('cancel')}>
        {t('bulk.cancel')}
      </Button>
    </Group>
  );
};
