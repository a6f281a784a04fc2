import { Button } from '@mantine/core';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client.ts';
import { BulkAsking, BulkBar } from '../../parts/bulk-bar.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { stepsOf, useBulk, type Asked } from '../../parts/use-bulk.ts';
import type { Selection } from '../../parts/use-selection.ts';
import { nobody, UserSelect } from '../../parts/user-select.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { conversationWords } from '../../words/conversations.ts';
import { words } from './words.ts';

const changes = ['/conversations', '/handovers', '/overview'];

type Assignee = { assigned_to: string | null; if_assigned_to?: string | null };

const assignAll = (asked: Asked<Assignee>) => client.POST('/bulk/conversations/assign', asked);

type Props = { selection: Selection; conversations: readonly Pick<Schemas['Conversation'], 'id' | 'assigned_to'>[] };

/** What can be done with the selected conversations. */
export const BulkConversations = ({ selection, conversations }: Props) => {
  const { user } = useSignedIn();
  const [userId, setUserId] = useState(user.id);
  const assigning = useBulk(selection, { request: assignAll, done: words.bulk.assigned, changes });
  const closing = useBulk(selection, {
    request: (asked: Asked<object>) => client.POST('/bulk/conversations/close', asked),
    done: words.bulk.closed,
    stays: words.bulk.reopened,
    changes,
  });
  const assign = (): void => {
    const before = new Map(conversations.map(({ id, assigned_to }) => [id, assigned_to]));
    const chosen = userId === nobody ? null : userId;
    void assigning.act({ assigned_to: chosen }, (changed) => {
      const byAssignee = new Map<string | null, string[]>();
      for (const id of changed) {
        const assignee = before.get(id) ?? null;
        byAssignee.set(assignee, [...(byAssignee.get(assignee) ?? []), id]);
      }
      return [...byAssignee].flatMap(([assigned_to, ids]) =>
        stepsOf(assignAll, { assigned_to, if_assigned_to: chosen }, ids),
      );
    });
  };
  const reopen = (closed: string[]) =>
    stepsOf((asked: Asked<object>) => client.POST('/bulk/conversations/reopen', asked), {}, closed);
  const close = (): void =>
    confirm({
      title: words.bulk.closeTitle(selection.selected.size),
      children: words.bulk.closeText,
      action: words.close,
      onConfirm: () => closing.act({}, reopen),
    });
  return (
    <BulkBar selection={selection}>
      <BulkAsking action={words.bulk.assign} onConfirm={assign} isSending={assigning.isSending}>
        <UserSelect
          label={conversationWords.assignedTo}
          value={userId}
          onChange={(chosen) => setUserId(chosen ?? nobody)}
        />
      </BulkAsking>
      <Button size="xs" variant="default" onClick={close} loading={closing.isSending}>
        {words.close}
      </Button>
    </BulkBar>
  );
};
