import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, type ReactNode } from 'react';
import { useFilters } from '../../../parts/use-filters.ts';
import { BlockList } from './block-list.tsx';
import type { DrawnFlow } from './read-flow.ts';
import { words } from './words.ts';

const FlowCanvas = lazy(async () => ({ default: (await import('./flow-canvas.tsx')).FlowCanvas }));

const views = ['drawing', 'list'] as const;

type Props = {
  flow: DrawnFlow;
  /** How the drawing is used, and how the list is. */
  hints: { drawing: string; list: string };
  /** Stands above the drawing. */
  children?: ReactNode;
};

/** A flow drawn, or as a list, which a narrow screen shows first. */
export const DrawingView = ({ flow, hints, children }: Props) => {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const { filters, setFilters } = useFilters(['view']);
  const view = views.find((known) => known === filters.view) ?? (isNarrow ? 'list' : 'drawing');
  return (
    <Stack gap="sm" className="fill">
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          aria-label={words.view}
          value={view}
          onChange={(next) => setFilters({ view: next })}
          data={views.map((value) => ({ value, label: words.views[value] }))}
        />
        <Text size="sm" c="dimmed">
          {hints[view]}
        </Text>
      </Group>
      {children}
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
  );
};
