import { ActionIcon, AppShell, Burger, Group, ScrollArea, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { LiveHints } from '../live/live-hints.tsx';
import { LaterNotifier } from '../notify/later-notifier.tsx';
import { Brand } from './brand.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { Progress } from './progress.tsx';
import { TimeTip } from './time-tip.tsx';
import { UserMenu } from './user-menu.tsx';
import { useFinder } from './use-finder.tsx';
import { useSignedIn } from './session-context.ts';
import { useScrollPlace } from './use-scroll-place.ts';
import { words } from './words.ts';

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** What stands around every page: the rail with the navigation, the head of narrow screens, and live hints for what is shown. */
export const Shell = () => {
  const { account } = useSignedIn();
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname, search } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useScrollPlace();
  const { find, finder } = useFinder();
  // Another view of the same page is gone to from the navigation as well.
  useEffect(close, [pathname, search, close]);
  // A page that is gone to is read from its beginning, by screen readers, too.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 236, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'xl' }}
    >
      <Progress />
      <a className="skip-link" href="#main">
        {words.skip}
      </a>
      <AppShell.Header className="mobile-head" hiddenFrom="sm" withBorder={false}>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={words.navigation} aria-expanded={isOpen} />
          <Brand size={24} />
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.find} onClick={find}>
            <IconSearch size={20} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        aria-label={words.navigation}
        className="rail"
        data-is-closed={!isOpen || undefined}
        withBorder={false}
      >
        <Stack gap={10} p="sm" pb={6}>
          <Group justify="space-between" wrap="nowrap">
            <Link to="/" className="brand" aria-label={words.home}>
              <Brand />
            </Link>
            <Burger opened onClick={close} hiddenFrom="sm" size="sm" aria-label={words.closeNavigation} />
          </Group>
          <Text size="xs" c="dimmed" fw={500} truncate px={2} mt={-6}>
            {account.name}
          </Text>
          <button type="button" className="find mantine-visible-from-sm" onClick={find}>
            <IconSearch size={15} stroke={1.8} aria-hidden />
            <VisuallyHidden>{words.find}</VisuallyHidden>
            <span aria-hidden>{words.findShort}</span>
            <kbd aria-hidden>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
          </button>
        </Stack>
        <ScrollArea flex={1} px="xs" type="auto" scrollbarSize={6}>
          <Navigation />
        </ScrollArea>
        <div style={{ padding: 8 }}>
          <UserMenu />
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1}>
        <OfflineBanner />
        <Outlet />
      </AppShell.Main>
      <TimeTip />
      {finder}
      <LiveHints />
      <LaterNotifier />
    </AppShell>
  );
};
