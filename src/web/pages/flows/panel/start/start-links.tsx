import { Stack, Text } from '@mantine/core';
import { startPayload } from '../../../../../shared/flows/start-link.ts';
import { Copyable } from '../../../../parts/copy.tsx';
import { OutLink } from '../../../../parts/out-link.tsx';
import { To } from '../../../../parts/to.tsx';
import { useList } from '../../../../parts/use-list.ts';
import { words } from './words.ts';

type Props = { payload: string | undefined; isPrefix: boolean };

/** The links by which contacts come to the flow, one for each Telegram bot: to open and to copy. */
export const StartLinks = ({ payload, isPrefix }: Props) => {
  const { rows } = useList('/channels', { limit: 200 });
  // The field says what is wrong with it.
  if (!rows || (payload !== undefined && !startPayload.test(payload))) return null;
  const bots = rows.flatMap((channel) => (channel.type === 'telegram' ? [channel] : []));
  if (bots.length === 0)
    return (
      <div>
        <Text size="sm" c="dimmed">
          {words.noBot}
        </Text>
        <To to="/settings/channels">{words.connectBot}</To>
      </div>
    );
  const hint = payload === undefined ? 'any' : isPrefix ? 'prefix' : 'exact';
  return (
    <Stack gap={4} className="start-links" role="group" aria-label={words.links(bots.length)}>
      <Text size="sm" fw={500}>
        {words.links(bots.length)}
      </Text>
      <Text size="xs" c="dimmed">
        {words.linkHints[hint]}
      </Text>
      {bots.map(({ id, name, bot_username: bot }) => {
        const url = `https://t.me/${encodeURIComponent(bot)}?start=${payload ?? words.anyPayload}`;
        return (
          <div key={id}>
            <Copyable value={url} label={words.linkOf(name)} />
            <OutLink href={url}>{words.openLink(name)}</OutLink>
          </div>
        );
      })}
    </Stack>
  );
};
