import { Text } from '@mantine/core';
import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { BlockFace, Count } from './block-face.tsx';
import { useDrawing } from './drawing-context.ts';
import { EndLines } from './end-lines.tsx';
import type { DrawnBlock } from './read-flow.ts';
import { words } from './words.ts';

export type BlockNode = Node<{ block: DrawnBlock }, 'block'>;
type StartNode = Node<{ lines: readonly string[] }, 'start'>;
/** What stands in a drawing: a block, or the triggers that a flow starts by. */
export type AnyNode = BlockNode | StartNode;

/** Where ways begin and end; `layOut` has said how they go. */
const Ends = () => (
  <>
    <Handle type="target" position={Position.Top} isConnectable={false} />
    <Handle type="source" position={Position.Bottom} isConnectable={false} />
  </>
);

const DrawnStart = ({ data: { lines } }: NodeProps<StartNode>) => {
  const { countAt } = useDrawing();
  return (
    <div className="drawn-block" data-is-start>
      <Ends />
      <div className="block-face">
        <Text component="div" size="sm" fw={600}>
          {words.start} <Count count={countAt(null)} />
        </Text>
        {lines.map((line) => (
          <Text key={line} size="xs" truncate title={line}>
            {line}
          </Text>
        ))}
      </div>
    </div>
  );
};

const DrawnBox = ({ data: { block } }: NodeProps<BlockNode>) => {
  const { walk, shown } = useDrawing();
  return (
    <div className="drawn-block" data-walked={walk?.stateOf(block.id)} data-is-shown={shown?.blockId === block.id}>
      <Ends />
      <BlockFace block={block} />
      <EndLines block={block} />
    </div>
  );
};

export const nodeTypes = { start: DrawnStart, block: DrawnBox };
