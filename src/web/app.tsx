import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/query-client.ts';
import { styleNonce } from './nonce.ts';
import { router } from './router.tsx';
import { theme } from './theme.ts';

/** Everything that all pages stand in. */
export const App = () => (
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
    <QueryClientProvider client={queryClient}>
      {/* Above, they would lie on the buttons of pages. */}
      <Notifications position="bottom-right" />
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>
);
