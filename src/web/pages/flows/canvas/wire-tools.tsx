import { words } from './words.ts';

type Point = { x: number; y: number };

/** What can be done with a wire, in its middle and at its end: seen while the pointer is over the wire, or while it is selected. */
export const wireTools = (wireId: string, { middle: { x, y }, end }: { middle: Point; end: Point }) => (
  <g className="wire-tools nopan" data-wire={wireId}>
    <circle className="wire-grip" cx={end.x - 8} cy={end.y} r="8">
      <title>{words.tools.moveWire}</title>
    </circle>
    <g data-wire-tool="add" transform={`translate(${x - 13}, ${y})`}>
      <title>{words.tools.addToWire}</title>
      <circle r="11" />
      <path d="M -5 0 H 5 M 0 -5 V 5" />
    </g>
    <g data-wire-tool="remove" transform={`translate(${x + 13}, ${y})`}>
      <title>{words.tools.removeWire}</title>
      <circle r="11" />
      <path d="M -4 -4 L 4 4 M 4 -4 L -4 4" />
    </g>
  </g>
);
