import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { showFailure } from '../../parts/failure.tsx';

/** What can be done with a bulk replay that is not over. */
export const ReplayActions = ({ replay: { id, status } }: { replay: Schemas['Replay'] }) => {
  const { t } = useTranslation('replays');
  const [isSending, setSending] = useState(false);
  const params = { path: { id } };
  const send = async (request: () => Promise<unknown>): Promise<void> => {
    setSending(true);
    try {
      await request();
      await invalidate('/replays');
    } catch (error) {
      showFailure(error);
    } finally {
      setSending(false);
    }
  };
  const cancel = (): void =>
    confirm({
      title: t('cancelTitle'),
      children: t('cancelText'),
      action: t('cancel'),
      isDangerous: true,
      onConfirm: async () => {
        await client.POST('/replays/{id}/cancel', { params });
        await invalidate('/replays');
      },
    });
  if (status !== 'running' && status !== 'paused') return null;
  return (
    <>
      <Button variant="default" onClick={cancel}>
        {t('cancel')}
      </Button>
      {status === 'running' ? (
        <Button loading={isSending} onClick={() => void send(() => client.POST('/replays/{id}/pause', { params }))}>
          {t('pause')}
        </Button>
      ) : (
        <Button loading={isSending} onClick={() => void send(() => client.POST('/replays/{id}/resume', { params }))}>
          {t('resume')}
        </Button>
      )}
    </>
  );
};
