import { Button } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { BulkAsking, BulkBar } from '../../parts/bulk-bar.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { useBulk } from '../../parts/use-bulk.ts';
import type { Selection } from '../../parts/use-selection.ts';
import { nobody, UserSelect } from '../../parts/user-select.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { conversationWords } from '../../words/conversations.ts';
import { words } from './words.ts';

const changes = ['/conversations', '/handovers', '/overview'];

/** What can be done with the selected conversations. */
export const BulkConversations = ({ selection }: { selection: Selection }) => {
  const { user } = useSignedIn();
  const [userId, setUserId] = useState(user.id);
  const { isSending, act } = useBulk(selection);
  const assign = (): void =>
    void act({
      request: (ids) =>
        client.POST('/bulk/conversations/assign', { body: { ids, assigned_to: userId === nobody ? null : userId } }),
      done: words.bulk.assigned,
      changes,
    });
  const close = (): void =>
    confirm({
      title: words.bulk.closeTitle(selection.selected.size),
      children: words.bulk.closeText,
      action: words.close,
      onConfirm: () =>
        act({
          request: (ids) => client.POST('/bulk/conversations/close', { body: { ids } }),
          done: words.bulk.closed,
          changes,
        }),
    });
  return (
    <BulkBar selection={selection}>
      <BulkAsking action={words.bulk.assign} onConfirm={assign} isSending={isSending}>
        <UserSelect
          label={conversationWords.assignedTo}
          value={userId}
          onChange={(chosen) => setUserId(chosen ?? nobody)}
        />
      </BulkAsking>
      <Button size="xs" variant="default" onClick={close}>
        {words.close}
      </Button>
    </BulkBar>
  );
};
