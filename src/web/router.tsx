import { ModalsProvider } from '@mantine/modals';
import type { ComponentType } from 'react';
import { createBrowserRouter, Outlet, type RouteObject } from 'react-router';
import { openPages, pages, type PageEntry } from './pages.ts';
import { CloseQuestions } from './shell/close-questions.tsx';
import { FollowLinks } from './shell/follow-links.tsx';
import { RequireRole } from './shell/require-role.tsx';
import { RequireSession } from './shell/require-session.tsx';
import { BrokenPage, NoPage } from './shell/refused-pages.tsx';
import { Beginning } from './shell/skeleton.tsx';

const routeOf = ({ path, shows, load, role = 'agent' }: PageEntry): RouteObject => ({
  path: shows === undefined ? path : `${path}/${shows}?`,
  ErrorBoundary: BrokenPage,
  lazy: async () => {
    const Page = await loadOrBreak(load);
    return {
      Component: () => (
        <RequireRole least={role}>
          <Page />
        </RequireRole>
      ),
    };
  },
});

const openRouteOf = ({ path, load }: PageEntry): RouteObject => ({
  path,
  ErrorBoundary: BrokenPage,
  lazy: async () => ({ Component: await loadOrBreak(load) }),
});

const loadShell = async () => ({ Page: (await import('./shell/shell.tsx')).Shell });

/** The page, or one that breaks where its code does not come: the router would wait for the first page of a visit for ever. */
const loadOrBreak = async (load: PageEntry['load']): Promise<ComponentType> => {
  try {
    return (await load()).Page;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

/** From the paths of `pages.ts` to what is shown. */
export const router = createBrowserRouter([
  {
    HydrateFallback: Beginning,
    ErrorBoundary: BrokenPage,
    // Within the router, so that questions and failures may have links.
    Component: () => (
      <ModalsProvider>
        <FollowLinks />
        <CloseQuestions />
        <Outlet />
      </ModalsProvider>
    ),
    children: [
      ...openPages.map(openRouteOf),
      {
        Component: () => (
          <RequireSession>
            <Outlet />
          </RequireSession>
        ),
        children: [
          {
            // Loaded beside the page: signing in does without it.
            lazy: async () => ({ Component: await loadOrBreak(loadShell) }),
            children: [...pages.map(routeOf), { path: '*', Component: NoPage }],
          },
        ],
      },
    ],
  },
]);
