import { Group, Text } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Empty } from '../../../parts/empty.tsx';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { DrawingContext } from './drawing-context.ts';
import { DrawingView } from './drawing-view.tsx';
import { readFlow } from './read-flow.ts';
import { To } from '../../../parts/to.tsx';
import { words } from './words.ts';

const noCounts: ReadonlyMap<string | null, string> = new Map();

type Props = {
  flowId: string;
  definition: AnyDefinition;
  /** How many runs are at each block now, where that is to be shown. */
  counts?: ReadonlyMap<string | null, string>;
  /** What has become of a block since another version. */
  changeOf?: (blockId: string) => 'added' | 'removed' | 'changed' | undefined;
};

/** A definition to look at: drawn, or as a list, which a narrow screen shows first. A block leads to its runs. */
export const Drawing = ({ flowId, definition, counts = noCounts, changeOf }: Props) => {
  const flow = useMemo(() => readFlow(definition), [definition]);
  const { nameOf } = useFlowNames();
  const runsAt = (id: string) => `/flows/${flowId}?${new URLSearchParams({ tab: 'runs', block: id }).toString()}`;
  const context = {
    countAt: (id: string | null) => counts.get(id),
    nameOf,
    changeOf,
    wrapFace: (id: string, face: ReactNode) => (
      <Link to={runsAt(id)} className="block-face" draggable={false}>
        {face}
      </Link>
    ),
  };
  if (flow.blocks.length === 0) return <Empty title={words.empty}>{words.emptyHint}</Empty>;
  const known = new Set<string | null>([null, ...flow.blocks.map(({ id }) => id)]);
  const elsewhere = [...counts].flatMap(([id, count]) => (id === null || known.has(id) ? [] : [{ id, count }]));
  return (
    <DrawingContext value={context}>
      <DrawingView flow={flow} hints={{ drawing: words.hint, list: words.listHint }}>
        {elsewhere.length > 0 && (
          <Group gap="xs">
            <Text size="sm">{words.elsewhere}</Text>
            {elsewhere.map(({ id, count }) => (
              <To key={id} to={runsAt(id)}>
                {id} ({count})
              </To>
            ))}
          </Group>
        )}
      </DrawingView>
    </DrawingContext>
  );
};
