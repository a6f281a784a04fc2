import { Stack, Text, Title } from '@mantine/core';
import { IconInbox, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type Props = {
  title: string;
  /** What would be here. */
  icon?: Icon;
  children?: ReactNode;
  /** The one thing to do. */
  action?: ReactNode;
};

/** Where there is nothing to show: says so, with a picture, and what to do. */
export const Empty = ({ title, icon: Shown = IconInbox, children, action }: Props) => (
  <Stack align="center" gap="xs" py={40} px="md" ta="center">
    <span className="empty-picture" aria-hidden>
      <svg width="120" height="84" viewBox="0 0 120 84" fill="none">
        <rect className="empty-back" x="14" y="10" width="52" height="36" rx="10" transform="rotate(-9 40 28)" />
        <rect className="empty-side" x="60" y="12" width="46" height="34" rx="10" transform="rotate(8 83 29)" />
        <rect className="empty-front" x="32" y="20" width="56" height="52" rx="14" />
      </svg>
      <Shown size={26} stroke={1.6} />
    </span>
    <Title order={2} size="h4">
      {title}
    </Title>
    {children && (
      <Text c="dimmed" size="sm" maw={460} component="div">
        {children}
      </Text>
    )}
    {action && <div style={{ marginTop: 8 }}>{action}</div>}
  </Stack>
);
