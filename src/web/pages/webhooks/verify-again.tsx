import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { showFailure } from '../../parts/failure.tsx';

type Props = { id: string; onVerified?: (webhook: Schemas['DashboardWebhook']) => void };

/** Sends the challenge of a dashboard webhook again; what comes of it stands in its `last_check`. */
export const VerifyAgain = ({ id, onVerified }: Props) => {
  const { t } = useTranslation('webhooks');
  const [isAsking, setAsking] = useState(false);
  const verify = async (): Promise<void> => {
    setAsking(true);
    try {
      const { data } = await client.POST('/webhooks/{id}/verify', { params: { path: { id } } });
      if (data) onVerified?.(data);
      await invalidate('/webhooks');
    } catch (error) {
      showFailure(error);
    } finally {
      setAsking(false);
    }
  };
  return (
    <Button variant="default" onClick={() => void verify()} loading={isAsking}>
      {t('verifyAgain')}
    </Button>
  );
};
