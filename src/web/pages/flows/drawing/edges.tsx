import { BaseEdge, getBezierPath, getSmoothStepPath, type Edge, type EdgeProps } from '@xyflow/react';
import { useDrawing } from './drawing-context.ts';

/** A wire from a port of a block to another block. */
export type WayEdge = Edge<{ port: string; isTaken?: boolean }, 'way'>;

/** How far below its ends a wire runs that leads back, in px. */
const below = 96;

/** How far back a wire leads that goes to the next row of a drawing, in px. It runs between the rows. */
const rowBack = 1_200;

const DrawnEdge = (props: EdgeProps<WayEdge>) => {
  const { id, data, markerEnd } = props;
  const { wireTools } = useDrawing();
  const [path, x, y] = pathOf(props);
  return (
    <>
      <BaseEdge
        path={path}
        interactionWidth={wireTools ? 18 : 0}
        {...(data?.isTaken && { className: 'taken' })}
        {...(markerEnd !== undefined && { markerEnd })}
      />
      {wireTools?.(id, { middle: { x, y }, end: { x: props.targetX, y: props.targetY } })}
    </>
  );
};

const pathOf = ({
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
}: EdgeProps<WayEdge>): [path: string, x: number, y: number] => {
  const ends = { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition };
  if (targetX >= sourceX - 16) {
    const [path, x, y] = getBezierPath(ends);
    return [path, x, y];
  }
  const isToNextRow = sourceX - targetX > rowBack && targetY - sourceY > below;
  const centerY = isToNextRow ? (sourceY + targetY) / 2 : Math.max(sourceY, targetY) + below;
  const [path] = getSmoothStepPath({ ...ends, centerY, borderRadius: 16, offset: 24 });
  return [path, (sourceX + targetX) / 2, centerY];
};

export const edgeTypes = { way: DrawnEdge };
