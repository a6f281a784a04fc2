import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { LiveHints } from '../live/live-hints.tsx';
import { Navigation } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';
import { useSignedIn } from './session-context.ts';
import { useScrollPlace } from './use-scroll-place.ts';
import { words } from './words.ts';

/** Not needed for what is seen first. */
const FindAnything = lazy(async () => ({ default: (await import('./find-anything.tsx')).FindAnything }));
const TimeTip = lazy(async () => ({ default: (await import('./time-tip.tsx')).TimeTip }));

/** What stands around every page: the head, the navigation, and live hints for what is shown. */
export const Shell = () => {
  const { account } = useSignedIn();
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useScrollPlace();
  // A page that is gone to is read from its beginning, by screen readers, too.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    close();
    main.current?.focus({ preventScroll: true });
  }, [pathname, close]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#main">
        {words.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={words.navigation}
              aria-expanded={isOpen}
            />
            <img src="/favicon.svg" alt="" width={28} height={28} />
            <Text fw={650} truncate>
              {account.name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Suspense fallback={null}>
              <FindAnything />
            </Suspense>
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={words.navigation}>
        <ScrollArea px="xs" pb="xs" type="auto" scrollbarSize={6}>
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <Suspense fallback={null}>
        <TimeTip />
      </Suspense>
      <LiveHints />
    </AppShell>
  );
};
