import { words } from './words.ts';

/** What can be done with a wire, in its middle: seen while the pointer is over the wire, or while it is selected. */
export const wireTools = (wireId: string, { x, y }: { x: number; y: number }) => (
  <g className="wire-tools nopan" transform={`translate(${x}, ${y})`} data-wire={wireId}>
    <g data-wire-tool="add" transform="translate(-13, 0)">
      <title>{words.tools.addToWire}</title>
      <circle r="11" />
      <path d="M -5 0 H 5 M 0 -5 V 5" />
    </g>
    <g data-wire-tool="remove" transform="translate(13, 0)">
      <title>{words.tools.removeWire}</title>
      <circle r="11" />
      <path d="M -4 -4 L 4 4 M 4 -4 L -4 4" />
    </g>
  </g>
);
