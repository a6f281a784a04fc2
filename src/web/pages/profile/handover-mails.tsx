import { Skeleton, Switch } from '@mantine/core';
import { useState } from 'react';
import { api, client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Failure, showFailure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { words } from './words.ts';

/** Whether the user gets a mail for each handover. */
export const HandoverMails = () => {
  const { data, error, refetch } = api.useQuery('get', '/handover-mails');
  /** What is being sent: it is shown at once, and goes back when it is refused. */
  const [wanted, setWanted] = useState<boolean>();
  const change = async (notify: boolean): Promise<void> => {
    setWanted(notify);
    try {
      await client.PUT('/handover-mails', { body: { notify_handovers: notify } });
      await invalidate('/handover-mails');
    } finally {
      setWanted(undefined);
    }
  };
  return (
    <Section title={words.mails}>
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <Switch
          label={words.handoverMails}
          description={words.handoverMailsHint}
          checked={wanted ?? data.notify_handovers}
          onChange={({ currentTarget }) => void change(currentTarget.checked).catch(showFailure)}
        />
      ) : (
        <Skeleton height={44} />
      )}
    </Section>
  );
};
