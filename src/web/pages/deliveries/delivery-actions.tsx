import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { useSending } from '../../parts/use-sending.ts';
import { CurlButton } from './curl-button.tsx';

type Delivery = Schemas['DeliveryDetail'];

/** What an editor can do with a delivery as it is now. */
export const DeliveryActions = ({ delivery }: { delivery: Delivery }) => {
  const { t } = useTranslation(['deliveries', 'shell']);
  const { isSending, send } = useSending();
  const { id, status, parked_reason, next_attempt_at, is_test } = delivery;
  const params = { path: { id } };
  const isUnderWay = status === 'pending' || status === 'retrying';
  const mayBeReplayed = !isUnderWay && !is_test && (status !== 'parked' || parked_reason === 'awaiting_replay');

  const retry = async (): Promise<void> => {
    await client.POST('/deliveries/{id}/retry', { params });
    notifications.show({ title: t('retried'), message: t('retriedHint') });
    await invalidate('/deliveries');
  };
  const replay = (): void =>
    confirm({
      title: t('replayTitle'),
      children: status === 'delivered' ? `${t('replayText')} ${t('replayTextDelivered')}` : t('replayText'),
      action: t('replay'),
      onConfirm: async () => {
        await client.POST('/deliveries/{id}/replay', { params });
        notifications.show({ message: t('replayed') });
        await invalidate('/deliveries');
      },
    });
  const cancel = (): void =>
    confirm({
      title: t('cancelTitle'),
      children: t('cancelText'),
      action: t('cancel'),
      keep: t('shell:keepIt'),
      isDangerous: true,
      onConfirm: async () => {
        await client.POST('/deliveries/{id}/cancel', { params });
        await invalidate('/deliveries');
      },
    });

  return (
    <>
      <CurlButton delivery={delivery} />
      {(isUnderWay || status === 'parked') && (
        <Button variant="default" onClick={cancel}>
          {t('cancel')}
        </Button>
      )}
      {next_attempt_at !== null && (
        <Button onClick={() => void send(retry)} loading={isSending}>
          {t('retry')}
        </Button>
      )}
      {mayBeReplayed && <Button onClick={replay}>{t('replay')}</Button>}
    </>
  );
};
