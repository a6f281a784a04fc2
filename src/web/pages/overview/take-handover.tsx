import { Button } from '@mantine/core';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { keepFocus } from '../../parts/keep-focus.ts';
import { showDone } from '../../parts/show-done.tsx';
import { useSending } from '../../parts/use-sending.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { words } from './words.ts';

/** Takes the handover of a contact who waits: it is the user's from then on. */
export const TakeHandover = ({ id, name }: { id: string; name: string | null }) => {
  const { user } = useSignedIn();
  const { isSending, send } = useSending();
  const assign = async (userId: string | null): Promise<void> => {
    await client.PATCH('/handovers/{id}', { params: { path: { id } }, body: { assigned_to: userId } });
    await invalidate('/overview', '/handovers', '/conversations', '/contacts');
  };
  const take = async (): Promise<void> => {
    await assign(user.id);
    showDone({ message: words.taken(name), undo: () => assign(null) });
    keepFocus();
  };
  return (
    <Button size="compact-sm" variant="default" loading={isSending} onClick={() => void send(take)}>
      {words.take}
    </Button>
  );
};
