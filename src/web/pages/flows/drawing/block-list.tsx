import './drawing.css';
import { Anchor, Group, List, Paper, Stack, Text } from '@mantine/core';
import { BlockFace, Count } from './block-face.tsx';
import { useDrawing } from './drawing-context.ts';
import { EndLines } from './end-lines.tsx';
import { labelOf } from './layout.ts';
import type { DrawnFlow } from './read-flow.ts';
import { sayTrigger } from './say-trigger.ts';
import { words } from './words.ts';

/** The same as the drawing, to be read from top to bottom: each block in the order of the definition, with where it leads. */
export const BlockList = ({ flow: { start, triggers, blocks } }: { flow: DrawnFlow }) => {
  const { countAt } = useDrawing();
  const places = new Map(blocks.map(({ key, id }, index) => [key, { id, elementId: `block-${index}` }] as const));
  const goTo = (key: string): void => document.getElementById(places.get(key)?.elementId ?? '')?.focus();
  const linkTo = (key: string) => (
    <Anchor component="button" type="button" size="xs" onClick={() => goTo(key)}>
      {places.get(key)?.id}
    </Anchor>
  );
  return (
    <Stack gap="xs">
      <Paper withBorder p="sm">
        <Text component="div" size="sm" fw={600}>
          {words.start} <Count count={countAt(null)} />
        </Text>
        <List size="xs">
          {[...triggers.filter(({ type }) => type !== 'api'), { type: 'api' as const }].map((trigger) => (
            <List.Item key={sayTrigger(trigger)}>{sayTrigger(trigger)}</List.Item>
          ))}
        </List>
        {start !== undefined && (
          <Text component="div" size="xs" mt={4}>
            → {linkTo(start)}
          </Text>
        )}
      </Paper>
      <Stack component="ol" gap="xs" m={0} p={0} aria-label={words.blocks} style={{ listStyle: 'none' }}>
        {blocks.map((block) => (
          <Paper
            key={block.key}
            component="li"
            withBorder
            id={places.get(block.key)?.elementId}
            tabIndex={-1}
            className="listed-block"
          >
            <BlockFace block={block} />
            {block.ways.map(
              (way) =>
                'to' in way && (
                  <Group key={way.to} gap={6} className="block-end">
                    <Text span size="xs">
                      {labelOf(way)} →
                    </Text>
                    {linkTo(way.to)}
                  </Group>
                ),
            )}
            <EndLines ways={block.ways} />
          </Paper>
        ))}
      </Stack>
    </Stack>
  );
};
