import { Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { Bubble } from '../../parts/bubble.tsx';
import { Failure } from '../../parts/failure.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { Time } from '../../parts/time.tsx';
import { useFlowNames } from '../../parts/use-flow-names.ts';
import type { AnyDefinition } from '../flows/definition-text.ts';
import { StoryStep } from './story-step.tsx';
import type { Story } from './use-story.ts';
import { words } from './words.ts';

type Props = {
  run: Schemas['Run'];
  story: Story;
  /** What the contact is called. */
  name: string;
  definition: AnyDefinition | undefined;
  /** The number of the step that was chosen last. */
  shown: number | undefined;
  show: (blockId: string) => void;
};

/** What happened in a run, from the beginning: of a long one the latest hundred steps at first. An open one is shown from its end, and moves on. */
export const StoryOfRun = ({ run, story, name, definition, shown, show }: Props) => {
  const [isOpen] = useState(run.ended_at === null);
  const { nameOf } = useFlowNames();
  const { steps, first, lists } = story;
  const failed = lists.find(({ error }) => error);
  const [ofSteps] = lists;
  if (!steps) return failed ? <Failure error={failed.error} retry={failed.retry} /> : <Skeleton height={160} />;
  const blocks = blocksOf(definition);
  return (
    <div className="story fill-scroll" data-is-open={isOpen} role="region" aria-label={words.story} tabIndex={0}>
      <Stack gap="sm">
        {ofSteps && (
          <LoadMore list={ofSteps} size="xs">
            {words.earlier}
          </LoadMore>
        )}
        {failed && <Failure error={failed.error} retry={failed.retry} />}
        <ol className="story-steps">
          {ofSteps?.more === undefined && (
            <li>
              <Stack gap={6}>
                <Text size="sm" c="dimmed">
                  {words.began} <Time at={run.started_at} format="exact" />
                </Text>
                {first && (
                  <div className="message" data-direction="inbound">
                    <Bubble message={first} name={name} />
                  </div>
                )}
              </Stack>
            </li>
          )}
          {steps.map((step) => (
            <StoryStep
              key={step.number}
              step={step}
              block={blocks.get(step.block_id)}
              name={name}
              nameOf={nameOf}
              isShown={step.number === shown}
              show={show}
            />
          ))}
          {run.ended_at !== null && (
            <Text component="li" size="sm" c="dimmed" className="story-end">
              {words.endedAt} <Time at={run.ended_at} format="exact" />
            </Text>
          )}
        </ol>
      </Stack>
    </div>
  );
};

type Block = Readonly<Record<string, unknown>>;

/** The blocks of a version, by their ids. */
const blocksOf = (definition: AnyDefinition | undefined): ReadonlyMap<unknown, Block> => {
  const blocks = definition?.['blocks'];
  return new Map(Array.isArray(blocks) ? blocks.map((block: Block) => [block['id'], block] as const) : []);
};
