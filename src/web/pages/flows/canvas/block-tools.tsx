import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconCopy,
  IconDots,
  IconFlag3,
  IconPlayerPlay,
  IconPlus,
  IconRoute,
  IconRowInsertTop,
  IconTrash,
  type Icon,
} from '@tabler/icons-react';
import { NodeToolbar, Position } from '@xyflow/react';
import { memo } from 'react';
import { Link } from 'react-router';
import { startId } from '../builder/builder-context.ts';
import { keyOf } from '../drawing/read-flow.ts';
import { isId } from '../edits/refs.ts';
import type { Actions } from './actions.ts';
import { words } from './words.ts';

type Props = {
  flowId: string;
  selected: readonly string[];
  actions: Actions;
  addAfter: (blockId: string) => void;
  addBefore: (blockId: string) => void;
  simulateFrom: (blockId: string) => void;
};

/** What can be done with the selected blocks, above them. */
export const BlockTools = memo(({ flowId, selected, actions, addAfter, addBefore, simulateFrom }: Props) => {
  const [first] = selected;
  if (first === undefined) return null;
  const isStart = first === startId;
  const isOne = selected.length === 1;
  const runs = `/flows/${flowId}?${new URLSearchParams({ tab: 'runs', block: first }).toString()}`;
  return (
    <NodeToolbar
      nodeId={selected.map(keyOf)}
      isVisible
      position={Position.Top}
      align="start"
      className="block-tools"
      role="toolbar"
      aria-label={words.tools.label}
    >
      {isOne && <Tool label={words.tools.add} icon={IconPlus} onClick={() => addAfter(first)} />}
      {!isStart && (
        <>
          <Tool label={words.tools.duplicate} icon={IconCopy} onClick={() => actions.duplicate(selected)} />
          <Tool label={words.tools.remove} icon={IconTrash} onClick={() => actions.remove(selected)} />
        </>
      )}
      {isOne && isId(first) && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" size="md" aria-label={words.tools.more}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconRowInsertTop size={16} aria-hidden />} onClick={() => addBefore(first)}>
              {words.tools.addBefore}
            </Menu.Item>
            <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => simulateFrom(first)}>
              {words.tools.tryFrom}
            </Menu.Item>
            <Menu.Item component={Link} to={runs} leftSection={<IconRoute size={16} aria-hidden />}>
              {words.tools.runs}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconFlag3 size={16} aria-hidden />}
              onClick={() => actions.wire({ from: undefined, port: '' }, first)}
            >
              {words.tools.begin}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </NodeToolbar>
  );
});
BlockTools.displayName = 'BlockTools';

const Tool = ({ label, icon: Shown, onClick }: { label: string; icon: Icon; onClick: () => void }) => (
  <Tooltip label={label} openDelay={400}>
    <ActionIcon variant="subtle" size="md" aria-label={label} onClick={onClick}>
      <Shown size={16} aria-hidden />
    </ActionIcon>
  </Tooltip>
);
