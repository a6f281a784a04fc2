import { PortCount } from './block-numbers.tsx';
import { useDrawing } from './drawing-context.ts';
import { hasHeadPort, rowsOf, sayPort } from './face.ts';
import type { DrawnBlock, Way } from './read-flow.ts';
import { words } from './words.ts';

/** Where a way leads that leads to no block. */
export const sayEnd = (way: Way): string =>
  'end' in way ? words.ends[way.end] : 'missing' in way ? words.missing(way.missing) : '';

/** The port of the start, which has no name in a definition. */
export const startPort = 'start';

type DotProps = { port: string; label?: string; isOpen?: boolean; isAtHead?: boolean };

/** Where the wire of a port begins. The canvas finds it by its attributes, and measures it. */
export const PortDot = ({ port, label, isOpen = false, isAtHead = false }: DotProps) => (
  <span
    className="source port-dot nodrag nopan"
    data-handleid={port}
    data-handlepos="right"
    data-is-open={isOpen}
    data-is-at-head={isAtHead}
    title={label}
  />
);

/** The ports of a block, each in a row with its end, or with a wire from there. */
export const PortRows = ({ block }: { block: DrawnBlock }) => {
  const { walk } = useDrawing();
  const { id, ways } = block;
  const [only] = ways;
  if (hasHeadPort(block) && only)
    return (
      <>
        <PortCount blockId={id} port={only.port} isAtHead />
        <PortDot port={only.port} label={sayPort(block, only.port)} isAtHead />
      </>
    );
  return rowsOf(block).map((way) => (
    <div
      key={way.port}
      className="port-row"
      data-end={'to' in way ? undefined : 'end' in way ? way.end : 'missing'}
      data-is-taken={walk?.took(id, [way.port])}
    >
      <span className="port-end">{sayEnd(way)}</span>
      <PortCount blockId={id} port={way.port} />
      <span className="port-name">{sayPort(block, way.port)}</span>
      <PortDot port={way.port} label={sayPort(block, way.port)} isOpen={!('to' in way)} />
    </div>
  ));
};
