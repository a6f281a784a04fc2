import './drawing.css';
import { Anchor, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { BlockFace, Count, titleOf } from './block-face.tsx';
import { useDrawing } from './drawing-context.ts';
import { sayPort } from './face.ts';
import { sayEnd } from './port-rows.tsx';
import type { DrawnFlow } from './read-flow.ts';
import { sayTrigger } from './say-trigger.ts';
import { words } from './words.ts';

const elementIdOf = (index: number): string => `block-${index}`;

/** The same as the drawing, to be read from top to bottom: each block in the order of the definition, with where it leads. */
export const BlockList = ({ flow: { start, triggers, blocks } }: { flow: DrawnFlow }) => {
  const { countAt, walk, shown, changeOf } = useDrawing();
  const places = new Map(blocks.map(({ key, id }, index) => [key, { id, elementId: elementIdOf(index) }] as const));
  const titles = new Map(blocks.map((block) => [block.key, titleOf(block)] as const));
  const goTo = (key: string): void => document.getElementById(places.get(key)?.elementId ?? '')?.focus();
  useEffect(() => {
    const found = shown && blocks.findIndex(({ id }) => id === shown.blockId);
    if (found !== undefined && found >= 0) document.getElementById(elementIdOf(found))?.focus();
  }, [shown, blocks]);
  const linkTo = (key: string) => (
    <Anchor component="button" type="button" size="xs" onClick={() => goTo(key)}>
      {titles.get(key)}
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
            data-walked={walk?.stateOf(block.id)}
            data-change={changeOf?.(block.id)}
          >
            <BlockFace block={block} />
            {block.ways.map((way) => (
              <Group
                key={way.port}
                gap={6}
                className="listed-port"
                data-end={'to' in way ? undefined : 'end' in way ? way.end : 'missing'}
                data-is-taken={walk?.took(block.id, [way.port])}
              >
                <Text span size="xs">
                  {sayPort(block, way.port)} →
                </Text>
                {'to' in way ? (
                  linkTo(way.to)
                ) : (
                  <Text span size="xs">
                    {sayEnd(way)}
                  </Text>
                )}
              </Group>
            ))}
          </Paper>
        ))}
      </Stack>
    </Stack>
  );
};
