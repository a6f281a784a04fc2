import { BaseEdge, EdgeLabelRenderer, type Edge, type EdgeProps } from '@xyflow/react';
import type { DrawnWay } from './layout.ts';

/** A way from one block to another. */
export type WayEdge = Edge<{ way: DrawnWay; isTaken?: boolean }, 'way'>;

const DrawnEdge = ({ data, markerEnd }: EdgeProps<WayEdge>) => {
  if (!data) return null;
  const { label, points, at } = data.way;
  const { isTaken } = data;
  return (
    <>
      <BaseEdge
        path={curve(points)}
        {...(isTaken && { className: 'taken' })}
        {...(markerEnd !== undefined && { markerEnd })}
      />
      {label && (
        <EdgeLabelRenderer>
          <div
            className="way-label"
            data-is-taken={isTaken}
            style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)` }}
          >
            {label}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
};

/** A line through the middles between points, rounded at each of them. */
const curve = (points: DrawnWay['points']): string => {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (!first || !last) return '';
  const bends = rest.map(({ x, y }, index) => {
    const next = rest[index + 1] ?? last;
    return `Q ${x},${y} ${(x + next.x) / 2},${(y + next.y) / 2}`;
  });
  return [`M ${first.x},${first.y}`, ...bends, `L ${last.x},${last.y}`].join(' ');
};

export const edgeTypes = { way: DrawnEdge };
