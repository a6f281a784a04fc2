import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { Freshness, type Reading } from './freshness.tsx';
import { navWords } from '../words/nav.ts';

export type PageProps = {
  title: string;
  description?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Of what it shows, where that is kept up to date. */
  reading?: Reading;
  /** The pages above this one. */
  above?: readonly { title: string; to: string }[];
  /** Stands before the title: whom or what the page is about. */
  mark?: ReactNode;
  /** Stands after the title: who else is here. */
  beside?: ReactNode;
  /** Whether it fills the window below its head, so that its parts scroll alone. On narrow screens the page scrolls. */
  fill?: boolean;
  /** Whether its head takes one line on narrow screens, without what stands above and below the title. */
  isCompact?: boolean;
  children: ReactNode;
};

/** A page: its title, in the browser's tab, too, what can be done, and what is shown. */
export const Page = ({
  title,
  description,
  actions,
  reading,
  above = [],
  mark,
  beside,
  fill = false,
  isCompact = false,
  children,
}: PageProps) => {
  useDocumentTitle(`${title} · Parley`);
  const trail = [...settingsAbove(useLocation().pathname), ...above];
  return (
    <Stack gap="lg" className={`page${fill ? ' page-fill' : ''}${isCompact ? ' page-compact' : ''}`}>
      <Stack gap={6} className="page-head">
        {trail.length > 0 && (
          <Breadcrumbs fz="sm" className="above" separator="/" separatorMargin={6}>
            {trail.map((page) => (
              <Anchor key={page.to} component={Link} to={page.to} size="sm">
                {page.title}
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="flex-start" gap="sm" className="page-title">
          <Group gap="sm" wrap="nowrap" miw={0}>
            {mark}
            <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {beside}
          </Group>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {description && (
          <Text c="dimmed" maw={720} component="div" className="page-description">
            {description}
          </Text>
        )}
        {reading && <Freshness of={reading} />}
      </Stack>
      {children}
    </Stack>
  );
};

/** Settings stand under Settings, and logs under Logs within it, as documents call them. */
const settingsAbove = (pathname: string): { title: string; to: string }[] => {
  if (!pathname.startsWith('/settings/')) return [];
  const settings = { title: navWords.sections.settings, to: '/settings' };
  return pathname.startsWith('/settings/logs/')
    ? [settings, { title: navWords.logs, to: '/settings#logs' }]
    : [settings];
};
