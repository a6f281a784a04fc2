import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

export type PageProps = {
  title: string;
  description?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** The pages above this one. */
  above?: readonly { title: string; to: string }[];
  children: ReactNode;
};

/** A page: its title, in the browser's tab, too, what can be done, and what is shown. */
export const Page = ({ title, description, actions, above = [], children }: PageProps) => {
  useDocumentTitle(`${title} · Parley`);
  return (
    <Stack gap="md" maw={1280}>
      <Stack gap={8}>
        {above.length > 0 && (
          <Breadcrumbs fz="sm" className="above">
            {above.map((page) => (
              <Anchor key={page.to} component={Link} to={page.to} size="sm">
                {page.title}
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {description && (
          <Text c="dimmed" maw={720} component="div">
            {description}
          </Text>
        )}
      </Stack>
      {children}
    </Stack>
  );
};
