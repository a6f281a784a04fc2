import { Menu, Stack, Text, VisuallyHidden, useMantineColorScheme } from '@mantine/core';
import { IconLogout, IconMoon, IconSelector, IconSun, IconSunMoon, IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import { leave } from '../api/session.ts';
import { Avatar } from '../parts/avatar.tsx';
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
    <Menu position="top-start" width={220} withinPortal>
      <Menu.Target>
        <button type="button" className="user-button">
          <VisuallyHidden>{words.userMenu(nameOfUser(user))}</VisuallyHidden>
          <Avatar id={user.id} name={nameOfUser(user)} size={30} />
          <Stack gap={0} miw={0} flex={1} aria-hidden>
            <Text span size="sm" fw={550} truncate>
              {nameOfUser(user)}
            </Text>
            <Text span size="xs" c="dimmed">
              {commonWords.roles[user.role]}
            </Text>
          </Stack>
          <IconSelector size={16} aria-hidden color="var(--mantine-color-dimmed)" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
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
