import { Button, Group, Stack, Text } from '@mantine/core';
import { IconQrcode } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { startPayload } from '../../../../../shared/flows/start-link.ts';
import { Copyable } from '../../../../parts/copy.tsx';
import { OutLink } from '../../../../parts/out-link.tsx';
import { To } from '../../../../parts/to.tsx';
import { useList } from '../../../../parts/use-list.ts';
import { urlOfLink, type SharedLink } from './shared-link.ts';
import { words } from './words.ts';

const LinkCode = lazy(async () => ({ default: (await import('./link-code.tsx')).LinkCode }));

type Props = { payload: string | undefined; isPrefix: boolean };

/** The links by which contacts come to the flow, one for each Telegram bot: to open, to copy, and as QR code. */
export const StartLinks = ({ payload, isPrefix }: Props) => {
  const { rows } = useList('/channels', { limit: 200 });
  const [shown, setShown] = useState<SharedLink>();
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
  const match = payload === undefined ? 'any' : isPrefix ? 'prefix' : 'exact';
  return (
    <Stack gap={4} className="start-links" role="group" aria-label={words.links(bots.length)}>
      <Text size="sm" fw={500}>
        {words.links(bots.length)}
      </Text>
      <Text size="xs" c="dimmed">
        {words.linkHints[match]}
      </Text>
      {bots.map(({ id, name, bot_username: bot }) => {
        const link = { name, bot, payload: payload ?? words.anyPayload, match } as const;
        const url = urlOfLink(link);
        return (
          <div key={id}>
            <Copyable value={url} label={words.linkOf(name)} />
            <Group gap="xs">
              <OutLink href={url}>{words.openLink(name)}</OutLink>
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconQrcode size={16} aria-hidden />}
                aria-label={words.showCodeOf(name)}
                onClick={() => setShown(link)}
              >
                {words.showCode}
              </Button>
            </Group>
          </div>
        );
      })}
      {shown && (
        <Suspense>
          <LinkCode link={shown} close={() => setShown(undefined)} />
        </Suspense>
      )}
    </Stack>
  );
};
