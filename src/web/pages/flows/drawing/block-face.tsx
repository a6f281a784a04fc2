import { Badge, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { kindOf } from './block-kinds.ts';
import { useDrawing } from './drawing-context.ts';
import type { DrawnBlock } from './read-flow.ts';
import { sayBlock } from './say-block.ts';
import { words } from './words.ts';

/** How many runs are at a block. */
export const Count = ({ count }: { count: string | undefined }) => {
  if (count === undefined) return null;
  return (
    <Badge size="sm" className="status" data-tone="busy" aria-label={words.here(count)} role="img">
      {count}
    </Badge>
  );
};

/** A block: its kind, its id, what it does in a line, and how many runs are at it. It leads to those. */
export const BlockFace = ({ block: { id, type, raw } }: { block: DrawnBlock }) => {
  const { flowId, countAt, nameOf } = useDrawing();
  const { kind, icon: KindIcon } = kindOf(type);
  const says = sayBlock(type, raw, { flow: nameOf });
  return (
    <Link
      to={`/flows/${flowId}?${new URLSearchParams({ tab: 'runs', block: id })}`}
      className="block-face"
      draggable={false}
    >
      <Group gap={8} wrap="nowrap" justify="space-between">
        <Group gap={8} wrap="nowrap" miw={0}>
          <KindIcon size={16} aria-hidden style={{ flex: 'none' }} />
          <Text span size="sm" fw={600} truncate>
            {id || '?'}
          </Text>
        </Group>
        <Count count={countAt(id)} />
      </Group>
      <Text size="xs" truncate className="block-says">
        <Text span inherit c="dimmed">
          {kind === 'unknown' && type ? type : words.kinds[kind]}
        </Text>
        {says && ` · ${says}`}
      </Text>
    </Link>
  );
};
