import '@xyflow/react/dist/base.css';
import '../drawing/drawing.css';
import { ReactFlow, SelectionMode, useStoreApi, type ReactFlowProps } from '@xyflow/react';
import { useLayoutEffect, useMemo, type ReactNode } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { edgeTypes, type WayEdge } from '../drawing/edges.tsx';
import { nodeTypes, type AnyNode } from '../drawing/nodes.tsx';
import type { Position } from '../drawing/read-flow.ts';
import { leastZoom, limits } from '../drawing/view.ts';
import { showNodes } from './shown-nodes.ts';
import { words } from './words.ts';

/** Of more blocks only those in sight are rendered. */
const many = 60;

/** Keys and buttons of the pointer, and what else never changes. */
const held = {
  several: ['Shift', 'Control', 'Meta'],
  zoom: ['Control', 'Meta'],
  pan: [0, 1],
  options: { hideAttribution: true },
};

/** Where boxes are that are being moved, by their keys. */
export type Moving = ReadonlyMap<string, Position> | undefined;

type Given = ReactFlowProps<AnyNode, WayEdge>;

/** What the canvas does with hands and keys. They stay the same: each change of one would render all blocks. */
export type Hands = Pick<
  Given,
  | 'onKeyDown'
  | 'onInit'
  | 'onMove'
  | 'onMoveEnd'
  | 'onNodesChange'
  | 'onNodeDrag'
  | 'onNodeDragStop'
  | 'onSelectionDragStop'
  | 'onPaneClick'
  | 'onPaneContextMenu'
  | 'onNodeClick'
  | 'onEdgeClick'
>;

type Props = {
  nodes: AnyNode[];
  edges: WayEdge[];
  selected: ReadonlySet<string>;
  found: string | undefined;
  moving: StoreApi<Moving>;
  isPanning: boolean;
  scheme: 'light' | 'dark';
  hands: Hands;
  children: ReactNode;
};

/** What is drawn. A move of the pointer renders the blocks that it moves, with their wires, and not even this. */
export const Ground = ({ nodes, edges, selected, found, moving, isPanning, scheme, hands, children }: Props) => {
  const drawn = useStoreApi<AnyNode, WayEdge>();
  const shown = useMemo(
    () => showNodes(nodes, { selected, found, moving: moving.getState() }),
    [nodes, selected, found, moving],
  );
  useLayoutEffect(
    () => moving.subscribe((moved) => drawn.getState().setNodes(showNodes(nodes, { selected, found, moving: moved }))),
    [drawn, nodes, selected, found, moving],
  );
  const least = useMemo(() => leastZoom(nodes), [nodes]);
  return (
    <ReactFlow<AnyNode, WayEdge>
      className="drawing building"
      aria-label={words.label}
      tabIndex={0}
      colorMode={scheme}
      nodes={shown}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      {...hands}
      minZoom={least}
      maxZoom={limits.max}
      onlyRenderVisibleElements={nodes.length > many}
      nodesConnectable={false}
      nodesDraggable={!isPanning}
      elementsSelectable={!isPanning}
      nodesFocusable={false}
      edgesFocusable={false}
      selectNodesOnDrag={false}
      nodeDragThreshold={3}
      elevateNodesOnSelect={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      selectionKeyCode="Shift"
      multiSelectionKeyCode={held.several}
      selectionMode={SelectionMode.Partial}
      panActivationKeyCode={null}
      panOnScroll
      panOnDrag={held.pan}
      zoomOnScroll={false}
      zoomActivationKeyCode={held.zoom}
      zoomOnDoubleClick={false}
      defaultMarkerColor={null}
      proOptions={held.options}
    >
      {children}
    </ReactFlow>
  );
};
