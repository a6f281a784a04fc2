import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { useSending } from '../../parts/use-sending.ts';

/** What can be done with a bulk replay that is not over. */
export const ReplayActions = ({ replay: { id, status } }: { replay: Schemas['Replay'] }) => {
  const { t } = useTranslation(['replays', 'shell']);
  const { isSending, send } = useSending();
  const params = { path: { id } };
  const change = async (asked: Promise<unknown>): Promise<void> => {
    await asked;
    await invalidate('/replays');
  };
  const pause = (): Promise<void> => change(client.POST('/replays/{id}/pause', { params }));
  const resume = (): Promise<void> => change(client.POST('/replays/{id}/resume', { params }));
  const cancel = (): void =>
    confirm({
      title: t('cancelTitle'),
      children: t('cancelText'),
      action: t('cancel'),
      keep: t('shell:keepIt'),
      isDangerous: true,
      onConfirm: () => change(client.POST('/replays/{id}/cancel', { params })),
    });
  if (status !== 'running' && status !== 'paused') return null;
  return (
    <>
      <Button variant="default" onClick={cancel}>
        {t('cancel')}
      </Button>
      {status === 'running' ? (
        <Button loading={isSending} onClick={() => void send(pause)}>
          {t('pause')}
        </Button>
      ) : (
        <Button loading={isSending} onClick={() => void send(resume)}>
          {t('resume')}
        </Button>
      )}
    </>
  );
};
