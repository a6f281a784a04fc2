import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { memo } from 'react';
import { commonWords } from '../words/common.ts';

/** Copies a text. `label` says what it is, for those who do not see it. */
const Copy = ({ value, label }: { value: string; label?: string }) => (
  <CopyButton value={value} timeout={1_500}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? commonWords.copied : commonWords.copy}>
        <ActionIcon
          variant="subtle"
          color={copied ? 'brand' : 'gray'}
          onClick={copy}
          aria-label={label === undefined ? commonWords.copy : commonWords.copyWhat(label)}
        >
          {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

/** A text that is read and copied as it is: an id, a key, a url. */
export const Copyable = memo(({ value, label }: { value: string; label?: string }) => (
  <Group gap={4} wrap="nowrap" miw={0}>
    <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{value}</Code>
    <Copy value={value} {...(label !== undefined && { label })} />
  </Group>
));
Copyable.displayName = 'Copyable';

/** Lines of code or data, with a way to copy them. It scrolls by itself, also by keyboard. */
export const CodeLines = ({ value, label, maxHeight = 360 }: { value: string; label: string; maxHeight?: number }) => (
  <div style={{ position: 'relative' }}>
    <Code block mah={maxHeight} style={{ overflow: 'auto' }} pr={44} tabIndex={0} role="group" aria-label={label}>
      {value}
    </Code>
    <div style={{ position: 'absolute', top: 6, right: 6, background: 'var(--mantine-color-body)', borderRadius: 4 }}>
      <Copy value={value} label={label} />
    </div>
  </div>
);
