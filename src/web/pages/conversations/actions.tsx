import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { client, type Schemas } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { showFailure } from '../../parts/failure.tsx';
import { words } from './words.ts';

/** What may be done to the conversation as it is. */
export const Actions = ({ conversation: { id, status, unread } }: { conversation: Schemas['Conversation'] }) => {
  const navigate = useNavigate();
  const params = { params: { path: { id } } };
  const change = async (asked: Promise<unknown>): Promise<void> => {
    await asked;
    await invalidate('/conversations', '/handovers', '/contacts', '/overview');
  };
  const closeNow = () => change(client.POST('/conversations/{id}/close', params));
  const reopenNow = () => change(client.POST('/conversations/{id}/reopen', params));
  const close = (): void =>
    confirm({
      title: words.closeTitle,
      children: words.closeText,
      action: words.close,
      onConfirm: async () => {
        await closeNow();
        showDone({ message: words.closed, undo: reopenNow });
      },
    });
  const reopen = async (): Promise<void> => {
    await reopenNow();
    showDone({ message: words.reopened });
  };

  const leadToOther = (error: unknown): void => {
    const other = error instanceof ApiFailure ? error.conflictWith : undefined;
    if (!other) return showFailure(error);
    confirm({
      title: words.otherTitle,
      children: words.otherText,
      action: words.toOther,
      onConfirm: async () => navigate(`/conversations/${other.id}`),
    });
  };
  return (
    <>
      {unread > 0 && (
        <Button
          variant="default"
          onClick={() => void change(client.POST('/conversations/{id}/read', params)).catch(showFailure)}
        >
          {words.markRead}
        </Button>
      )}
      {status === 'open' ? (
        <Button variant="default" onClick={close}>
          {words.close}
        </Button>
      ) : (
        <Button onClick={() => void reopen().catch(leadToOther)}>{words.reopen}</Button>
      )}
    </>
  );
};
