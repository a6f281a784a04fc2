import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { keepFocus } from '../../parts/keep-focus.ts';
import { useSending } from '../../parts/use-sending.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { words } from './words.ts';

/** Takes the handover of a contact who waits: it is the user's from then on. */
export const TakeHandover = ({ id, name }: { id: string; name: string | null }) => {
  const { user } = useSignedIn();
  const { isSending, send } = useSending();
  const take = async (): Promise<void> => {
    await client.PATCH('/handovers/{id}', { params: { path: { id } }, body: { assigned_to: user.id } });
    notifications.show({ message: words.taken(name) });
    await invalidate('/overview', '/handovers', '/conversations', '/contacts');
    keepFocus();
  };
  return (
    <Button size="compact-sm" variant="default" loading={isSending} onClick={() => void send(take)}>
      {words.take}
    </Button>
  );
};
