import { Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import type { AnyDefinition } from './definition-text.ts';
import { readFlow } from './drawing/read-flow.ts';
import { sayTrigger, type AnyTrigger } from './drawing/say-trigger.ts';
import { StartLinks } from './panel/start/start-links.tsx';
import { To } from '../../parts/to.tsx';
import { words } from './words.ts';

type LiveTrigger = Schemas['LiveTrigger'];

type Props = { flow: Schemas['Flow']; definition: AnyDefinition };

/** What starts a flow by itself: now, with what other flows take before it, and after the draft is published. */
export const TriggersTab = ({ flow, definition }: Props) => {
  const live = api.useQuery('get', '/triggers');
  const drafted = useMemo(() => readFlow(definition).triggers, [definition]);
  if (!live.data)
    return live.error ? <Failure error={live.error} retry={() => void live.refetch()} /> : <Skeleton height={160} />;
  const own = live.data.data.filter(({ flow_id: id }) => id === flow.id);
  const isLive = flow.status === 'live';
  const ofDraft = drafted.filter(({ type }) => type !== 'api');
  return (
    <Stack gap="md">
      <Section title={words.triggers.now} description={isLive ? words.triggers.nowHint : words.triggers.notLive}>
        {isLive && (
          <List>
            {own.map((trigger) => (
              <List.Item key={sayTrigger(trigger)}>
                <Sentence trigger={trigger} />
                <Links trigger={trigger} />
                <Losses trigger={trigger} />
              </List.Item>
            ))}
            <List.Item>{sayTrigger({ type: 'api' })}</List.Item>
          </List>
        )}
      </Section>
      {(!isLive || flow.draft_changed) && (
        <Section title={words.triggers.draft} description={words.triggers.draftHint}>
          <List>
            {ofDraft.map((trigger) => (
              <List.Item key={JSON.stringify(trigger)}>
                <Sentence trigger={trigger} />
                <Links trigger={trigger} />
              </List.Item>
            ))}
            <List.Item>{sayTrigger({ type: 'api' })}</List.Item>
          </List>
        </Section>
      )}
    </Stack>
  );
};

/** A trigger with what decides between it and those of other flows. */
const Sentence = ({ trigger }: { trigger: AnyTrigger & { priority?: number; interrupt?: boolean } }) => {
  const { priority = 0, interrupt = false } = trigger;
  return (
    <Group gap="xs" style={{ overflowWrap: 'anywhere' }}>
      <Text span>{sayTrigger(trigger)}</Text>
      {priority !== 0 && <Status tone="off">{words.triggers.priority(priority)}</Status>}
      {interrupt && <Status tone="busy">{words.triggers.interrupts}</Status>}
    </Group>
  );
};

const Links = ({ trigger: { type, match, words: payloads, payload = payloads?.[0] } }: { trigger: AnyTrigger }) =>
  type === 'start_link' && <StartLinks payload={payload} isPrefix={match === 'prefix'} />;

/** What other flows always take before it. */
const Losses = ({ trigger: { never_wins: neverWins, loses } }: { trigger: LiveTrigger }) => {
  if (loses.length === 0) return null;
  return (
    <Stack gap={2}>
      {neverWins && <Text size="sm">{words.triggers.neverWins}</Text>}
      {loses.map(({ word, to_flow_id: to, to_flow_name: name }) => (
        <Text key={`${word} ${to}`} size="sm" c="dimmed" component="div">
          {word === null ? words.triggers.taken : words.triggers.wordTaken(word)}{' '}
          <To to={`/flows/${to}?tab=triggers`}>{name}</To>
        </Text>
      ))}
    </Stack>
  );
};
