import { Button } from '@mantine/core';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { confirm } from '../../parts/confirm.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { words } from './words.ts';

/** Re-enables a disabled webhook whose endpoint is healthy, and sends what was held for it. Its own page has the other choices. */
export const ReEnableHere = ({ id, url }: { id: string; url: string }) => {
  const session = useSignedIn();
  if (!mayAs('editor', session) || !session.account.webhooks_allowed) return null;
  const reEnable = async (): Promise<void> => {
    const body = { replay: { type: 'all' } } as const;
    const { data } = await client.POST('/webhooks/{id}/re-enable', { params: { path: { id } }, body });
    if (data?.status === 'active') showDone({ message: words.reEnabled, more: words.reEnabledText });
    else showDone({ message: words.stillUnhealthy, more: words.stillUnhealthyText, how: 'not' });
    await invalidate('/overview', '/webhooks', '/replays');
  };
  const ask = (): void =>
    confirm({
      title: words.reEnableTitle,
      children: words.reEnableText(url),
      action: words.reEnable,
      onConfirm: reEnable,
    });
  return (
    <Button size="compact-sm" variant="default" onClick={ask}>
      {words.reEnable}
    </Button>
  );
};
