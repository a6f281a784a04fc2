import { Button } from '@mantine/core';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { useSending } from '../../parts/use-sending.ts';
import { commonWords } from '../../words/common.ts';
import { CurlButton } from './curl-button.tsx';
import { words } from './words.ts';

type Delivery = Schemas['DeliveryDetail'];

/** What an editor can do with a delivery as it is now. */
export const DeliveryActions = ({ delivery }: { delivery: Delivery }) => {
  const { isSending, send } = useSending();
  const { id, status, parked_reason, next_attempt_at, is_test } = delivery;
  const params = { path: { id } };
  const isUnderWay = status === 'pending' || status === 'retrying';
  const mayBeReplayed = !isUnderWay && !is_test && (status !== 'parked' || parked_reason === 'awaiting_replay');

  const retry = async (): Promise<void> => {
    await client.POST('/deliveries/{id}/retry', { params });
    showDone({ message: words.retried, more: words.retriedHint });
    await invalidate('/deliveries');
  };
  const replay = (): void =>
    confirm({
      title: words.replayTitle,
      children: status === 'delivered' ? `${words.replayText} ${words.replayTextDelivered}` : words.replayText,
      action: words.replay,
      onConfirm: async () => {
        await client.POST('/deliveries/{id}/replay', { params });
        showDone({ message: words.replayed });
        await invalidate('/deliveries');
      },
    });
  const cancel = (): void =>
    confirm({
      title: words.cancelTitle,
      children: words.cancelText,
      action: words.cancel,
      keep: commonWords.keepIt,
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
          {words.cancel}
        </Button>
      )}
      {next_attempt_at !== null && (
        <Button onClick={() => void send(retry)} loading={isSending}>
          {words.retry}
        </Button>
      )}
      {mayBeReplayed && <Button onClick={replay}>{words.replay}</Button>}
    </>
  );
};
