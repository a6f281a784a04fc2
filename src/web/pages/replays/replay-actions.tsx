import { Button } from '@mantine/core';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { useSending } from '../../parts/use-sending.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

/** What can be done with a bulk replay that is not over. */
export const ReplayActions = ({ replay: { id, status } }: { replay: Schemas['Replay'] }) => {
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
      title: words.cancelTitle,
      children: words.cancelText,
      action: words.cancel,
      keep: commonWords.keepIt,
      isDangerous: true,
      onConfirm: () => change(client.POST('/replays/{id}/cancel', { params })),
    });
  if (status !== 'running' && status !== 'paused') return null;
  return (
    <>
      <Button variant="default" onClick={cancel}>
        {words.cancel}
      </Button>
      {status === 'running' ? (
        <Button loading={isSending} onClick={() => void send(pause)}>
          {words.pause}
        </Button>
      ) : (
        <Button loading={isSending} onClick={() => void send(resume)}>
          {words.resume}
        </Button>
      )}
    </>
  );
};
