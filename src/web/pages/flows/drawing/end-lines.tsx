import { Text } from '@mantine/core';
import { useDrawing } from './drawing-context.ts';
import { isEnd, type DrawnBlock } from './read-flow.ts';
import { words } from './words.ts';

/** The ways out of a block that lead to no other, each in a line: "timeout: the run fails". */
export const EndLines = ({ block: { id, ways } }: { block: DrawnBlock }) => {
  const { walk } = useDrawing();
  return ways.filter(isEnd).map((way) => (
    <Text
      key={way.ports.join()}
      size="xs"
      truncate
      className="block-end"
      data-is-missing={'missing' in way}
      data-is-taken={walk?.took(id, way.ports)}
    >
      {way.ports.join() !== 'default' && `${way.ports.join(', ')} → `}
      {'end' in way ? words.ends[way.end] : 'missing' in way && words.missing(way.missing)}
    </Text>
  ));
};
