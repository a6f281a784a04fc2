import { Button } from '@mantine/core';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { confirm } from '../../parts/confirm.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

/** What may be done to the run in its status. */
export const Actions = ({ run: { id, status } }: { run: Schemas['Run'] }) => {
  if (!mayAs('editor', useSignedIn())) return null;
  const params = { params: { path: { id } } };
  const change = async (asked: Promise<unknown>): Promise<void> => {
    await asked;
    await invalidate('/runs', '/flows');
  };
  if (status === 'running' || status === 'waiting')
    return (
      <Button
        variant="default"
        onClick={() =>
          confirm({
            title: words.cancelTitle,
            children: words.cancelText,
            action: words.cancel,
            keep: commonWords.keepIt,
            isDangerous: true,
            onConfirm: () => change(client.POST('/runs/{id}/cancel', params)),
          })
        }
      >
        {words.cancel}
      </Button>
    );
  if (status !== 'failed') return null;
  return (
    <Button
      onClick={() =>
        confirm({
          title: words.retryTitle,
          children: words.retryText,
          action: words.retry,
          onConfirm: () => change(client.POST('/runs/{id}/retry', params)),
        })
      }
    >
      {words.retry}
    </Button>
  );
};
