import { getNodesBounds, type ReactFlowInstance } from '@xyflow/react';
import type { WayEdge } from './edges.tsx';
import type { AnyNode } from './nodes.tsx';
import { startKey } from './use-places.ts';

export type Instance = ReactFlowInstance<AnyNode, WayEdge>;

/** Where the beginning of a flow is shown that is larger than the window: not smaller than it can be read. */
const readable = 0.8;

export const limits = { min: 0.1, max: 2 };

/** The least room that a drawing has, in px: all of a large flow is shown in that, however small. */
const leastRoom = 240;

/** How small a drawing may become: so that all of it can be seen. */
export const leastZoom = (nodes: AnyNode[]): number => {
  const { width, height } = getNodesBounds(nodes);
  return Math.min(limits.min, leastRoom / Math.max(width, height, 1));
};

/** Room around all of a drawing, in px. */
const around = 24;

/** Room of the tools on the right, in px, so that they cover no block. */
export const toolsRoom = 56;

/** The room that blocks have in a box, in px. */
const roomOf = ({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } => ({
  width: clientWidth - toolsRoom - 2 * around,
  height: clientHeight - 2 * around,
});

/** Moves a block to the middle beside the tools, large enough to be read. */
export const center = (drawn: Instance, { position: { x, y }, width = 0, height = 0 }: AnyNode): void => {
  const zoom = Math.max(drawn.getZoom(), readable);
  void drawn.setCenter(x + width / 2 + toolsRoom / 2 / zoom, y + height / 2, { zoom });
};

/** Shows all of a drawing, however small. */
export const fitAll = (drawn: Instance, nodes: AnyNode[], box: HTMLElement): void => {
  const { x, y, width, height } = getNodesBounds(nodes);
  const room = roomOf(box);
  const zoom = Math.min(1, room.width / Math.max(width, 1), room.height / Math.max(height, 1));
  void drawn.setViewport({
    x: (box.clientWidth - toolsRoom) / 2 - (x + width / 2) * zoom,
    y: box.clientHeight / 2 - (y + height / 2) * zoom,
    zoom,
  });
};

/** Whether all of a drawing can be read at once. */
export const isReadable = (nodes: AnyNode[], box: HTMLElement): boolean => {
  const { width, height } = getNodesBounds(nodes);
  const room = roomOf(box);
  return Math.min(room.width / width, room.height / height) >= readable;
};

/** Shows all of a drawing where that can be read; otherwise its beginning. */
export const showFrom = (drawn: Instance, nodes: AnyNode[], box: HTMLElement): void => {
  const start = nodes.find(({ id }) => id === startKey);
  if (!start) return;
  if (isReadable(nodes, box)) {
    fitAll(drawn, nodes, box);
    return;
  }
  void drawn.setViewport({
    x: 24 - start.position.x * readable,
    y: box.clientHeight / 3 - (start.position.y + (start.height ?? 0) / 2) * readable,
    zoom: readable,
  });
};
