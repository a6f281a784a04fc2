import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import {
  IconBolt,
  IconBuilding,
  IconForms,
  IconKey,
  IconLock,
  IconMessage2Bolt,
  IconPlug,
  IconRefresh,
  IconRepeat,
  IconSend,
  IconTag,
  IconUser,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Kind } from '../../parts/kinds/kind.ts';
import { KindIcon } from '../../parts/kinds/kind-icon.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { useMayOpen } from '../../parts/use-may-open.ts';
import { words } from './words.ts';

type Place = { words: keyof typeof words.places; to: string; kind: Kind };

const groups: readonly { title: keyof typeof words.groups; places: readonly Place[] }[] = [
  {
    title: 'account',
    places: [
      { words: 'account', to: '/settings/account', kind: { icon: IconBuilding, hue: 'teal' } },
      { words: 'users', to: '/settings/users', kind: { icon: IconUsers, hue: 'teal' } },
      { words: 'channels', to: '/settings/channels', kind: { icon: IconPlug, hue: 'blue' } },
      { words: 'cannedReplies', to: '/settings/canned-replies', kind: { icon: IconMessage2Bolt, hue: 'blue' } },
      { words: 'tags', to: '/settings/tags', kind: { icon: IconTag, hue: 'pink' } },
      { words: 'customFields', to: '/settings/custom-fields', kind: { icon: IconForms, hue: 'pink' } },
      { words: 'credentials', to: '/settings/credentials', kind: { icon: IconLock, hue: 'amber' } },
    ],
  },
  {
    title: 'developers',
    places: [
      { words: 'api', to: '/settings/api', kind: { icon: IconKey, hue: 'iris' } },
      { words: 'webhooks', to: '/settings/webhooks', kind: { icon: IconWebhook, hue: 'iris' } },
    ],
  },
  {
    title: 'logs',
    places: [
      { words: 'deliveries', to: '/settings/logs/delivery', kind: { icon: IconSend, hue: 'slate' } },
      { words: 'events', to: '/settings/logs/events', kind: { icon: IconBolt, hue: 'slate' } },
      { words: 'replays', to: '/settings/logs/replays', kind: { icon: IconRepeat, hue: 'slate' } },
      { words: 'retries', to: '/settings/logs/retries', kind: { icon: IconRefresh, hue: 'slate' } },
    ],
  },
  { title: 'you', places: [{ words: 'profile', to: '/profile', kind: { icon: IconUser, hue: 'teal' } }] },
];

/** All settings, each under the name that documents call it by, as far as the user's role may open them. */
export const Page = () => {
  const mayOpen = useMayOpen();
  const shown = groups
    .map(({ title, places }) => ({ title, places: places.filter(({ to }) => mayOpen(to)) }))
    .filter(({ places }) => places.length > 0);
  return (
    <Frame title={words.title}>
      <Stack gap="lg">
        {shown.map(({ title, places }) => (
          <Stack key={title} gap="xs">
            <Title order={2} size="h4" id={title}>
              {words.groups[title]}
            </Title>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
              {places.map(({ words: place, to, kind }) => (
                <Link key={to} to={to} className="card place">
                  <KindIcon kind={kind} size={36} />
                  <span>
                    <Text span display="block" size="sm" fw={600}>
                      {words.places[place].name}
                    </Text>
                    <Text span size="sm" c="dimmed">
                      {words.places[place].hint}
                    </Text>
                  </span>
                </Link>
              ))}
            </SimpleGrid>
          </Stack>
        ))}
      </Stack>
    </Frame>
  );
};
