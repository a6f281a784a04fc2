import '@xyflow/react/dist/base.css';
import './drawing.css';
import { useComputedColorScheme } from '@mantine/core';
import { getNodesBounds, Panel, ReactFlow, type ReactFlowInstance } from '@xyflow/react';
import { useEffect, useMemo, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { draw } from './draw.ts';
import { useDrawing, type Walk } from './drawing-context.ts';
import { edgeTypes, type WayEdge } from './edges.tsx';
import { startKey } from './layout.ts';
import { nodeTypes, type AnyNode } from './nodes.tsx';
import type { DrawnFlow } from './read-flow.ts';
import { Tools } from './tools.tsx';
import { words } from './words.ts';

type Instance = ReactFlowInstance<AnyNode, WayEdge>;

/** Where the beginning of a flow is shown that is larger than the window: not smaller than it can be read. */
const readable = 0.8;

const limits = { min: 0.1, max: 2 };

/** The least room that a drawing has, in px: all of a large flow is shown in that, however small. */
const leastRoom = 240;

/** How far an arrow key moves the drawing, in px. */
const stepPx = 80;

/**
 * A flow as a drawing: moved by pointer and by arrow keys, and made larger and smaller. It changes nothing, and leaves to `DrawingContext` what a click on
 * a block does.
 */
export const FlowCanvas = ({ flow }: { flow: DrawnFlow }) => {
  const scheme = useComputedColorScheme('light');
  const instance = useRef<Instance>(null);
  const element = useRef<HTMLDivElement>(null);
  const { walk, shown } = useDrawing();
  const { nodes, edges } = useMemo(() => draw(flow, words.more), [flow]);
  const lit = useMemo(() => (walk ? light(edges, flow, walk) : edges), [edges, flow, walk]);

  useEffect(() => {
    const key = shown && flow.blocks.find(({ id }) => id === shown.blockId)?.key;
    const node = nodes.find(({ id }) => id === key);
    if (!node || !instance.current) return;
    element.current?.scrollIntoView({ block: 'nearest' });
    center(instance.current, node);
    const face = element.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(node.id)}"] .block-face`);
    face?.focus({ preventScroll: true });
  }, [shown, flow, nodes]);

  const least = useMemo(() => {
    const { width, height } = getNodesBounds(nodes);
    return Math.min(limits.min, leastRoom / Math.max(width, height));
  }, [nodes]);

  const showBeginning = (): void => {
    const { current: box } = element;
    const start = nodes.find(({ id }) => id === startKey);
    if (box && start && instance.current) showFrom(instance.current, { nodes, start, box });
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
    else if (event.key === '0') void drawn.fitView();
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
      edges={lit}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onInit={(drawn) => {
        instance.current = drawn;
        showBeginning();
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
      <Panel position="top-right">
        <Tools showBeginning={showBeginning} />
      </Panel>
    </ReactFlow>
  );
};

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
};

/** Moves a block to the middle, large enough to be read. */
const center = (drawn: Instance, { position: { x, y }, width = 0, height = 0 }: AnyNode): void => {
  const zoom = Math.max(drawn.getZoom(), readable);
  void drawn.setCenter(x + width / 2, y + height / 2, { zoom });
};

/** The ways with those that a run has taken in another colour, above the others. */
const light = (edges: readonly WayEdge[], { blocks }: DrawnFlow, walk: Walk): WayEdge[] => {
  const ids = new Map(blocks.map(({ key, id }) => [key, id] as const));
  const isTaken = ({ source, data }: WayEdge): boolean =>
    data !== undefined && walk.took(ids.get(source) ?? null, data.way.ports);
  const [taken, others] = [edges.filter(isTaken), edges.filter((edge) => !isTaken(edge))];
  return [
    ...others,
    ...taken.map((edge): WayEdge => {
      const { data, markerEnd } = edge;
      const marker = typeof markerEnd === 'object' && { markerEnd: { ...markerEnd, color: 'var(--taken)' } };
      return { ...edge, ...marker, ...(data && { data: { ...data, isTaken: true } }) };
    }),
  ];
};

/** All of it where that can be read; otherwise its beginning. */
const showFrom = (
  drawn: Instance,
  { nodes, start, box }: { nodes: AnyNode[]; start: AnyNode; box: HTMLElement },
): void => {
  const { width, height } = drawn.getNodesBounds(nodes);
  const zoom = Math.min(1, (box.clientWidth - 32) / width, (box.clientHeight - 32) / height);
  if (zoom >= readable) {
    void drawn.fitView({ maxZoom: 1, padding: '16px' });
    return;
  }
  const middle = start.position.x + (start.width ?? 0) / 2;
  void drawn.setViewport({
    x: box.clientWidth / 2 - middle * readable,
    y: 16 - start.position.y * readable,
    zoom: readable,
  });
};
