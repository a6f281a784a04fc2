import { Alert, Code, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useWarnings } from '../api/warnings.ts';
import { commonWords } from '../words/common.ts';

/** The most that are shown. */
const mostShown = 10;

type Props = {
  /** The id of what was saved. */
  of: string;
  title?: string;
  /** What the page calls the fields that may warn. */
  names?: Readonly<Record<string, string>>;
  /** What leads on, for warnings of which one has a code that begins so. */
  lead?: { code: string; children: ReactNode };
};

/** What the API warned of when something was saved, until somebody dismisses it. */
export const KeptWarnings = ({ of, title, names = {}, lead }: Props) => {
  const { warnings, dismiss } = useWarnings(of);
  if (warnings.length === 0) return null;
  const more = warnings.length - mostShown;
  return (
    <Alert
      color="yellow"
      title={title ?? commonWords.warned}
      icon={<IconAlertTriangle aria-hidden />}
      withCloseButton
      closeButtonLabel={commonWords.dismiss}
      onClose={dismiss}
    >
      <List size="sm" spacing={4} listStyleType={warnings.length === 1 ? 'none' : 'disc'}>
        {warnings.slice(0, mostShown).map(({ path, message, block_id: block, hint }) => (
          <List.Item key={`${block} ${path} ${message}`} style={{ overflowWrap: 'anywhere' }}>
            {block && <Code>{block}</Code>} <b>{names[path] ?? path}</b> {message}
            {hint && (
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      {more > 0 && <Text size="sm">{commonWords.moreWarnings(more)}</Text>}
      {lead && warnings.some(({ code }) => code?.startsWith(lead.code)) && lead.children}
    </Alert>
  );
};
