import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { IconBook, IconLogout, IconMoon, IconSun, IconSunMoon, IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import { leave } from '../api/session.ts';
import { showFailure } from '../parts/failure.tsx';
import { nameOfUser } from '../parts/name-of-user.ts';
import { commonWords } from '../words/common.ts';
import { leaveUnlessAsked } from './leaving.ts';
import { useSignedIn } from './session-context.ts';
import { words } from './words.ts';

const schemes = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconSunMoon },
] as const;

/** Who is signed in, the colours, and the way out. */
export const UserMenu = () => {
  const { user } = useSignedIn();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.userMenu}>
          <IconUser size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate>
            {nameOfUser(user)}
          </Text>
          <Text size="xs">{commonWords.roles[user.role]}</Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} aria-hidden />}>
          {words.profile}
        </Menu.Item>
        <Menu.Divider />
        {schemes.map(({ scheme, icon: SchemeIcon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<SchemeIcon size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme ? 'true' : undefined}
            fw={colorScheme === scheme ? 600 : undefined}
          >
            {words.schemes[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} aria-hidden />}>
          {words.apiDocs}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => leaveUnlessAsked(() => void leave().catch(showFailure))}
        >
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
