import { useNavigate } from 'react-router';
import { ApiFailure } from '../../../api/failure.ts';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { showAtOnce } from '../../../api/show-at-once.ts';
import { tellGap } from '../../../live/talks.ts';
import { confirm } from '../../../parts/confirm.tsx';
import { linkOfConversation } from '../../../parts/link-of-conversation.ts';
import { showFailure } from '../../../parts/failure.tsx';
import { showDone } from '../../../parts/show-done.tsx';
import { useUsers } from '../../../parts/use-users.ts';
import { words as all } from '../words.ts';
import { saySnooze } from './snooze-times.ts';

const words = all.actions;

type Conversation = Schemas['Conversation'];

/** What agents do with a conversation: shown before it is sent, told when it is done, and taken back where that is possible. */
export const useActing = (conversation: Conversation | undefined) => {
  const navigate = useNavigate();
  const { sayUser } = useUsers();
  if (!conversation) return undefined;
  const { id, assigned_to: assignee, snoozed_until: snoozedUntil } = conversation;
  const params = { params: { path: { id } } };

  const change = async (send: () => Promise<unknown>, shown: Partial<Conversation> = {}): Promise<void> => {
    await showAtOnce<Conversation>({ path: '/conversations/{id}', id, change: () => shown, send });
    tellGap();
    await invalidate('/conversations', '/inbox', '/handovers', '/contacts', '/overview');
  };
  const assignTo = (user: string | null, only: { if_assigned_to?: string | null } = {}): Promise<void> =>
    change(() => client.PATCH('/conversations/{id}', { ...params, body: { assigned_to: user, ...only } }), {
      assigned_to: user,
    });
  const snoozeUntil = (until: string | null): Promise<void> =>
    change(() => client.POST('/conversations/{id}/snooze', { ...params, body: { until } }), { snoozed_until: until });
  const reopenNow = (): Promise<void> => change(() => client.POST('/conversations/{id}/reopen', params));
  const closeNow = (): Promise<void> => change(() => client.POST('/conversations/{id}/close', params));

  const leadToOther = (error: unknown): void => {
    const other = error instanceof ApiFailure ? error.conflictWith : undefined;
    if (!other) return showFailure(error);
    confirm({
      title: words.otherTitle,
      children: words.otherText,
      action: words.toOther,
      onConfirm: async () => navigate(linkOfConversation(other)),
    });
  };
  const run = (acting: () => Promise<void>, refused = showFailure): void => void acting().catch(refused);

  const snooze = async (until: Date | null): Promise<void> => {
    await snoozeUntil(until?.toISOString() ?? null);
    const message = until === null ? words.woken : words.snoozed(saySnooze(until, new Date()));
    showDone({ message, undo: () => snoozeUntil(snoozedUntil) });
  };
  return {
    assign: (user: string | null): void =>
      run(async () => {
        await assignTo(user);
        const message = user === null ? words.unassigned : words.assigned(sayUser(user));
        showDone({ message, undo: () => assignTo(assignee, { if_assigned_to: user }) });
      }),
    snooze: (until: Date | null): void => run(() => snooze(until)),
    /** The same for a form, which says what is wrong with the time. */
    snoozeAsAsked: snooze,
    close: (): void =>
      run(async () => {
        await closeNow();
        showDone({ message: words.closed, undo: reopenNow });
      }),
    reopen: (): void =>
      run(async () => {
        await reopenNow();
        showDone({ message: words.reopened });
      }, leadToOther),
    handBack: (): void =>
      run(async () => {
        await change(() => client.POST('/conversations/{id}/hand-back', params), { assigned_to: null });
        showDone({ message: words.handedBack });
      }),
    handOver: async (to: string, note: string): Promise<void> => {
      const body = { to, ...(note !== '' && { note }) };
      await change(() => client.POST('/conversations/{id}/hand-over', { ...params, body }), { assigned_to: to });
      showDone({ message: words.handedOver(sayUser(to)) });
    },
  };
};

export type Acting = NonNullable<ReturnType<typeof useActing>>;
