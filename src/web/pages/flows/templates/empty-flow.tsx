import './templates.css';
import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { blockKind } from '../../../parts/kinds/block-kinds.ts';
import { KindIcon } from '../../../parts/kinds/kind-icon.tsx';
import { useTestUrl } from '../../../parts/use-test-url.ts';
import { startId, useBuilder } from '../builder/builder-context.ts';
import { readFlow } from '../drawing/read-flow.ts';
import { sayTrigger } from '../drawing/say-trigger.ts';
import { beginWith, firstQuestion, firstRequest, startByWord } from './ghosts.ts';
import { Preview } from './preview.tsx';
import type { TemplateName } from './template.ts';
import { createTemplate, templateNames } from './templates.ts';
import { words } from './words.ts';

/** In the place of the canvas while a flow has no blocks: three blocks to begin with, and templates. */
export const EmptyFlow = () => {
  const [shown, setShown] = useState<TemplateName>();
  const apiUrl = useTestUrl();
  if (shown !== undefined) return <Preview name={shown} apiUrl={apiUrl} back={() => setShown(undefined)} />;
  return (
    <div className="empty-flow">
      <Stack gap="lg">
        <div>
          <Title order={2} size="h4">
            {words.title}
          </Title>
          <Text size="sm" c="dimmed">
            {words.hint}
          </Text>
        </div>
        <Ghosts apiUrl={apiUrl.url} />
        <Title order={2} size="h4">
          {words.gallery}
        </Title>
        <ul className="templates" aria-label={words.gallery}>
          {templateNames.map((name) => (
            <li key={name}>
              <Card name={name} show={() => setShown(name)} />
            </li>
          ))}
        </ul>
      </Stack>
    </div>
  );
};

const Ghosts = ({ apiUrl }: { apiUrl: string | undefined }) => {
  const { definition, edit, open } = useBuilder();
  const triggers = readFlow(definition).triggers.filter(({ type }) => type !== 'api');
  const add = (label: string, block: { id: string }): void => {
    edit({ label }, (before) => beginWith(before, block));
    open(block.id);
  };
  const request = firstRequest(apiUrl);
  return (
    <ol className="ghosts" aria-label={words.ghostLabel}>
      <Ghost
        type="send"
        title={words.ghosts.start}
        hint={triggers.length > 0 ? triggers.map(sayTrigger).join(' · ') : words.ghosts.startHint}
        isSet={triggers.length > 0}
        onClick={() => {
          edit({ label: words.add.start }, startByWord);
          open(startId);
        }}
      />
      <Ghost
        type="ask"
        title={words.ghosts.ask}
        hint={words.ghosts.askHint}
        onClick={() => add(words.add.ask, firstQuestion)}
      />
      <Ghost
        type="external_request"
        title={words.ghosts.request}
        hint={words.ghosts.requestHint}
        onClick={() => add(words.add.request, request)}
      />
    </ol>
  );
};

type GhostProps = { type: string; title: string; hint: string; isSet?: boolean; onClick: () => void };

const Ghost = ({ type, title, hint, isSet = false, onClick }: GhostProps) => (
  <li>
    <button type="button" className="ghost" data-is-set={isSet} onClick={onClick}>
      <span className="with-mark">
        <KindIcon kind={blockKind(type).kind} size={24} />
        <Text span fw={600} size="sm">
          {title}
        </Text>
      </span>
      <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {hint}
      </Text>
    </button>
  </li>
);

const Card = ({ name, show }: { name: TemplateName; show: () => void }) => {
  const { blocks } = createTemplate(name).definition;
  const types = [...new Set(blocks.map(({ type }) => type))];
  return (
    <button type="button" className="template-card" onClick={show}>
      <Text span fw={600} size="sm">
        {words.names[name]}
      </Text>
      <Text span size="xs" c="dimmed" style={{ flex: 1 }}>
        {words.hints[name]}
      </Text>
      <span className="with-mark">
        {types.map((type) => (
          <KindIcon key={type} kind={blockKind(type).kind} size={20} />
        ))}
        <Text span size="xs" c="dimmed">
          {words.blocks(blocks.length)}
        </Text>
      </span>
    </button>
  );
};
