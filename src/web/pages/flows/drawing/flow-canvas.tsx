import '@xyflow/react/dist/base.css';
import './drawing.css';
import { Skeleton, useComputedColorScheme } from '@mantine/core';
import { Background, Panel, ReactFlow } from '@xyflow/react';
import { useEffect, useMemo, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { useDrawing } from './drawing-context.ts';
import { edgeTypes, type WayEdge } from './edges.tsx';
import { nodeTypes, type AnyNode } from './nodes.tsx';
import type { DrawnFlow } from './read-flow.ts';
import { Tools } from './tools.tsx';
import { useDrawn } from './use-drawn.ts';
import { center, fitAll, isReadable, leastZoom, limits, showFrom, type Instance } from './view.ts';
import { words } from './words.ts';

/** How far an arrow key moves the drawing, in px. */
const stepPx = 80;

/**
 * A flow as a drawing: moved by pointer and by arrow keys, and made larger and smaller. It changes nothing, and leaves to `DrawingContext` what a click on
 * a block does.
 */
export const FlowCanvas = ({ flow }: { flow: DrawnFlow }) => {
  const drawn = useDrawn(flow);
  if (!drawn) return <Skeleton height={380} />;
  return <Canvas flow={flow} {...drawn} />;
};

type Props = { flow: DrawnFlow; nodes: AnyNode[]; edges: WayEdge[] };

const Canvas = ({ flow, nodes, edges }: Props) => {
  const scheme = useComputedColorScheme('light');
  const instance = useRef<Instance>(null);
  const element = useRef<HTMLDivElement>(null);
  const { shown, walk } = useDrawing();

  useEffect(() => {
    const node = shown && nodeOf({ flow, nodes }, shown.blockId);
    if (!node || !instance.current) return;
    element.current?.scrollIntoView({ block: 'nearest' });
    center(instance.current, node);
    const face = element.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(node.id)}"] .block-face`);
    face?.focus({ preventScroll: true });
  }, [shown, flow, nodes]);

  const least = useMemo(() => leastZoom(nodes), [nodes]);

  const showBeginning = (): void => {
    const { current: box } = element;
    if (box && instance.current) showFrom(instance.current, nodes, box);
  };
  const showAll = (): void => {
    if (element.current && instance.current) fitAll(instance.current, nodes, element.current);
  };
  const move = (event: KeyboardEvent): void => {
    const { current: drawn } = instance;
    const by = steps[event.key];
    if (!drawn || event.ctrlKey || event.metaKey || event.altKey) return;
    if (by) {
      const { x, y, zoom } = drawn.getViewport();
      void drawn.setViewport({ x: x + by[0] * stepPx, y: y + by[1] * stepPx, zoom });
    } else if (event.key === '+') void drawn.zoomIn();
    else if (event.key === '-') void drawn.zoomOut();
    else if (event.key === '0') showAll();
    else if (event.key === 'Home') showBeginning();
    else return;
    event.preventDefault();
  };
  /** Who goes from block to block by keyboard sees the one that has the focus. */
  const follow = ({ target }: FocusEvent): void => {
    const key = target.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
    const node = nodes.find(({ id }) => id === key);
    const { current: drawn } = instance;
    if (!node || !drawn || !target.matches(':focus-visible')) return;
    center(drawn, node);
  };

  return (
    <ReactFlow<AnyNode, WayEdge>
      ref={element}
      className="drawing"
      aria-label={words.label}
      tabIndex={0}
      onKeyDown={move}
      onFocusCapture={follow}
      colorMode={scheme}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onInit={(drawn) => {
        instance.current = drawn;
        const at = walk?.at && nodeOf({ flow, nodes }, walk.at);
        if (at && element.current && !isReadable(nodes, element.current)) center(drawn, at);
        else showBeginning();
      }}
      minZoom={least}
      maxZoom={limits.max}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      panActivationKeyCode={null}
      zoomActivationKeyCode={['Control', 'Meta']}
      // The wheel moves the page, unless Ctrl is pressed.
      zoomOnScroll={false}
      preventScrolling={false}
      zoomOnDoubleClick={false}
      defaultMarkerColor={null}
      proOptions={{ hideAttribution: true }}
    >
      <Background gap={20} size={1.2} />
      <Panel position="top-right">
        <Tools showBeginning={showBeginning} showAll={showAll} />
      </Panel>
    </ReactFlow>
  );
};

const nodeOf = ({ flow, nodes }: Pick<Props, 'flow' | 'nodes'>, blockId: string): AnyNode | undefined => {
  const key = flow.blocks.find(({ id }) => id === blockId)?.key;
  return nodes.find(({ id }) => id === key);
};

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
};
