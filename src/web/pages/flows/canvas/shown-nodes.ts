import type { WayEdge } from '../drawing/edges.tsx';
import type { AnyNode } from '../drawing/nodes.tsx';
import type { Position } from '../drawing/read-flow.ts';

type Marks = { isSelected: boolean; isFound: boolean };

const marked = new WeakMap<AnyNode, { marks: Marks; node: AnyNode }>();

/** A box with its marks; the same object as long as it has the same, so that it is not rendered again. */
const withMarks = (node: AnyNode, marks: Marks): AnyNode => {
  if (!marks.isSelected && !marks.isFound) return node;
  const known = marked.get(node);
  if (known?.marks.isSelected === marks.isSelected && known.marks.isFound === marks.isFound) return known.node;
  const made: AnyNode = { ...node, selected: marks.isSelected, className: marks.isFound ? 'found' : '' };
  marked.set(node, { marks, node: made });
  return made;
};

type Showing = {
  selected: ReadonlySet<string>;
  found: string | undefined;
  /** Where boxes are that are being moved. */
  moving: ReadonlyMap<string, Position> | undefined;
};

/** The boxes as they are shown at this moment: those that are moved at their places, the selected ones marked. */
export const showNodes = (nodes: readonly AnyNode[], { selected, found, moving }: Showing): AnyNode[] =>
  nodes.map((node) => {
    const shown = withMarks(node, { isSelected: selected.has(node.id), isFound: found === node.id });
    const at = moving?.get(node.id);
    return at ? { ...shown, position: at } : shown;
  });

const selectedEdges = new WeakMap<WayEdge, WayEdge>();

/** The wires, with the one that is selected. */
export const showEdges = (edges: WayEdge[], selected: string | undefined): WayEdge[] => {
  if (selected === undefined) return edges;
  return edges.map((edge) => {
    if (edge.id !== selected) return edge;
    const made = selectedEdges.get(edge) ?? { ...edge, selected: true };
    selectedEdges.set(edge, made);
    return made;
  });
};
