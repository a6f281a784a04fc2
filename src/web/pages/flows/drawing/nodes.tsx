import type { Node, NodeProps } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { IconPlayerPlay } from '@tabler/icons-react';
import { KindIcon } from '../../../parts/kinds/kind-icon.tsx';
import { BlockFace, Count } from './block-face.tsx';
import { BlockNumbers } from './block-numbers.tsx';
import { useDrawing } from './drawing-context.ts';
import type { Problems } from './face.ts';
import { PortDot, PortRows, startPort } from './port-rows.tsx';
import type { DrawnBlock } from './read-flow.ts';
import { words } from './words.ts';

export type BlockNode = Node<{ block: DrawnBlock; problems: Problems | undefined }, 'block'>;
type StartNode = Node<{ lines: readonly string[] }, 'start'>;
/** What stands in a drawing: a block, or the triggers that a flow starts by. */
export type AnyNode = BlockNode | StartNode;

const startKind = { icon: IconPlayerPlay, hue: 'green' } as const;

const plain = (face: ReactNode) => <div className="block-face">{face}</div>;

const DrawnStart = memo(({ data: { lines } }: NodeProps<StartNode>) => {
  const { countAt, wrapStart = plain } = useDrawing();
  return (
    <div className="drawn-block" data-is-start>
      {wrapStart(
        <>
          <span className="block-head">
            <KindIcon kind={startKind} size={24} />
            <span className="block-id">{words.start}</span>
            <Count count={countAt(null)} />
          </span>
          {lines.map((line) => (
            <span key={line} className="start-line" title={line}>
              {line}
            </span>
          ))}
        </>,
      )}
      <PortDot port={startPort} isAtHead />
    </div>
  );
});
DrawnStart.displayName = 'DrawnStart';

const DrawnBox = memo(({ data: { block, problems } }: NodeProps<BlockNode>) => {
  const { walk, shown, changeOf } = useDrawing();
  return (
    <div
      className="drawn-block"
      data-walked={walk?.stateOf(block.id)}
      data-change={changeOf?.(block.id)}
      data-is-shown={shown?.blockId === block.id}
      data-has-errors={(problems?.errors ?? 0) > 0}
    >
      <span className="target wire-end" data-handlepos="left" />
      <BlockFace block={block} problems={problems} />
      <PortRows block={block} />
      <BlockNumbers blockId={block.id} />
    </div>
  );
});
DrawnBox.displayName = 'DrawnBox';

export const nodeTypes = { start: DrawnStart, block: DrawnBox };
