import { Center, Group, Paper, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** A page that is open to anyone: a title and a form. */
export const OpenPage = ({ title, children }: { title: string; children: ReactNode }) => {
  useDocumentTitle(`${title} · Parley`);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="lg" w="100%" maw={400}>
        <Stack gap="md">
          <Group gap="sm">
            <img src="/favicon.svg" alt="" width={32} height={32} />
            <Title order={1} size="h3">
              {title}
            </Title>
          </Group>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
};
