import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { showDone } from '../../../parts/show-done.tsx';
import { useSending } from '../../../parts/use-sending.ts';
import type { useTestUrl } from '../../../parts/use-test-url.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { DrawingContext } from '../drawing/drawing-context.ts';
import { FlowCanvas } from '../drawing/flow-canvas.tsx';
import { readFlow } from '../drawing/read-flow.ts';
import { createFields, keepScenario } from './take-template.ts';
import type { TemplateName } from './template.ts';
import { createTemplate } from './templates.ts';
import { words } from './words.ts';

type Props = { name: TemplateName; apiUrl: ReturnType<typeof useTestUrl>; back: () => void };

/** A template as it would be drawn, with what it brings, before it is taken. */
export const Preview = ({ name, apiUrl: { url, isKnown }, back }: Props) => {
  const { flowId, edit } = useBuilder();
  const { isSending, send } = useSending();
  const [clashes, setClashes] = useState<Awaited<ReturnType<typeof createFields>>>([]);
  const template = useMemo(() => createTemplate(name, url), [name, url]);
  const flow = useMemo(() => readFlow(template.definition), [template]);
  const title = words.names[name];
  const take = async (): Promise<void> => {
    const clashes = await createFields(template);
    setClashes(clashes);
    if (clashes.length > 0) return;
    edit({ label: words.takes(title) }, () => template.definition);
    showDone({ message: words.taken(title), more: words.takenHint });
    await keepScenario(flowId, template);
  };
  const asks = template.definition.blocks.some(({ type }) => type === 'external_request');
  const brings = [
    ...(asks ? [url === undefined ? words.asks.other : words.asks.own] : []),
    ...(template.fields.length > 0 ? [words.creates(template.fields.map((field) => field.key).join(', '))] : []),
    words.scenario(template.scenario.name),
  ];
  return (
    <section className="template-preview" aria-label={words.preview(title)}>
      <Stack gap={4}>
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Group gap="xs">
            <Button variant="default" onClick={back}>
              {words.back}
            </Button>
            <Button loading={isSending || !isKnown} onClick={() => void send(take)}>
              {words.use}
            </Button>
          </Group>
        </Group>
        <Text size="sm">{words.hints[name]}</Text>
        <Text size="sm" c="dimmed">
          {brings.join(' ')}
        </Text>
        {clashes.length > 0 && (
          <Alert color="red" role="alert" title={words.clash}>
            {clashes.map(({ key, type }) => (
              <Text key={key} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {words.clashOf({ key, type, wanted: template.fields.find((field) => field.key === key)?.type ?? '' })}
              </Text>
            ))}
          </Alert>
        )}
      </Stack>
      <DrawingContext value={context}>
        <FlowCanvas flow={flow} />
      </DrawingContext>
    </section>
  );
};

/** Blocks of a preview do nothing. */
const context = {
  countAt: () => undefined,
  nameOf: (id: string) => id,
  wrapFace: (_: string, face: ReactNode) => <div className="block-face">{face}</div>,
};
