import { Button } from '@mantine/core';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { useSending } from '../../parts/use-sending.ts';
import { words } from './words.ts';

type Props = { id: string; onVerified?: (webhook: Schemas['DashboardWebhook']) => void };

/** Sends the challenge of a dashboard webhook again; what comes of it stands in its `last_check`. */
export const VerifyAgain = ({ id, onVerified }: Props) => {
  const { isSending, send } = useSending();
  const verify = async (): Promise<void> => {
    const { data } = await client.POST('/webhooks/{id}/verify', { params: { path: { id } } });
    if (data) onVerified?.(data);
    await invalidate('/webhooks');
  };
  return (
    <Button variant="default" onClick={() => void send(verify)} loading={isSending}>
      {words.verifyAgain}
    </Button>
  );
};
