import { Center, Paper, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Brand } from '../../shell/brand.tsx';

/** A page that is open to anyone: a title and a form. */
export const OpenPage = ({ title, children }: { title: string; children: ReactNode }) => {
  useDocumentTitle(`${title} · Parley`);
  return (
    <Center mih="100vh" p="md" component="main" className="open-page">
      <Stack w="100%" maw={400} gap="lg" align="center">
        <Brand size={36} />
        <Paper withBorder p="xl" w="100%">
          <Stack gap="md">
            <Title order={1} size="h3">
              {title}
            </Title>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
};
