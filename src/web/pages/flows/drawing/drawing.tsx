import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Empty } from '../../../parts/empty.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { BlockList } from './block-list.tsx';
import { DrawingContext } from './drawing-context.ts';
import { readFlow } from './read-flow.ts';
import { To } from '../../../parts/to.tsx';
import { words } from './words.ts';

const FlowCanvas = lazy(async () => ({ default: (await import('./flow-canvas.tsx')).FlowCanvas }));

const views = ['drawing', 'list'] as const;

const noCounts: ReadonlyMap<string | null, string> = new Map();

type Props = {
  flowId: string;
  definition: AnyDefinition;
  /** How many runs are at each block now, where that is to be shown. */
  counts?: ReadonlyMap<string | null, string>;
};

/** A definition to look at: drawn, or as a list, which a narrow screen shows first. A block leads to its runs. */
export const Drawing = ({ flowId, definition, counts = noCounts }: Props) => {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const { filters, setFilters } = useFilters(['view']);
  const view = views.find((known) => known === filters.view) ?? (isNarrow ? 'list' : 'drawing');
  const flow = useMemo(() => readFlow(definition), [definition]);
  const { nameOf } = useFlowNames();
  const runsAt = (id: string) => `/flows/${flowId}?${new URLSearchParams({ tab: 'runs', block: id }).toString()}`;
  const context = {
    countAt: (id: string | null) => counts.get(id),
    nameOf,
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
      <Stack gap="sm" className="fill">
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            aria-label={words.view}
            value={view}
            onChange={(next) => setFilters({ view: next })}
            data={views.map((value) => ({ value, label: words.views[value] }))}
          />
          <Text size="sm" c="dimmed">
            {view === 'drawing' ? words.hint : words.listHint}
          </Text>
        </Group>
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
        {view === 'list' ? (
          <div className="fill-scroll">
            <BlockList flow={flow} />
          </div>
        ) : (
          <Suspense fallback={<Skeleton height={380} />}>
            <FlowCanvas flow={flow} />
          </Suspense>
        )}
      </Stack>
    </DrawingContext>
  );
};
