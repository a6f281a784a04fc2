import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Bubble } from '../../parts/bubble.tsx';
import { blockKind } from '../../parts/kinds/block-kinds.ts';
import { KindIcon } from '../../parts/kinds/kind-icon.tsx';
import { sayRunReason } from '../../parts/say-run-reason.ts';
import { Time } from '../../parts/time.tsx';
import { sayBlock } from '../flows/drawing/say-block.ts';
import { isFailed } from './is-failed.ts';
import { RequestCard } from './request-card.tsx';
import { sayDuration } from './say-duration.ts';
import type { ToldStep } from './use-story.ts';
import { words } from './words.ts';

type Props = {
  step: ToldStep;
  /** Its block as the version has it; undefined until that is loaded. */
  block: Readonly<Record<string, unknown>> | undefined;
  /** What the contact is called. */
  name: string;
  nameOf: (flowId: string) => string;
  isShown: boolean;
  /** Shows a block in the drawing. */
  show: (blockId: string) => void;
};

/** The place of a step in the page. */
export const idOfStep = (number: number): string => `step-${number}`;

/** Blocks whose messages say what they do. */
const speaking: readonly string[] = ['send', 'ask', 'external_request'];

/** One step of the story: its block, what was said, asked and waited for in it, and how it was left. */
export const StoryStep = ({ step, block, name, nameOf, isShown, show }: Props) => {
  const { number, block_id: blockId, visit, messages, requests, tries } = step;
  const given = block?.['type'];
  const { type, kind } = blockKind(typeof given === 'string' ? given : '');
  const says = block && !speaking.includes(type) ? sayBlock(type, block, { flow: nameOf }) : '';
  return (
    <li id={idOfStep(number)} tabIndex={-1} className="story-step" data-is-shown={isShown}>
      <Stack gap={6}>
        <Group gap={8}>
          <KindIcon kind={kind} size={22} />
          <Text span size="sm" c="dimmed">
            {words.step(number)}
          </Text>
          <Anchor component="button" type="button" size="sm" fw={600} onClick={() => show(blockId)}>
            {blockId}
          </Anchor>
          {visit > 1 && (
            <Text span size="sm" c="dimmed">
              {words.visit(visit)}
            </Text>
          )}
          <Text span size="xs" c="dimmed">
            <Time at={step.entered_at} format="clock" />
          </Text>
        </Group>
        {says && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {says}
          </Text>
        )}
        {messages.length > 0 && (
          <ul className="messages">
            {messages.map((message) => (
              <li key={message.id} className="message" data-direction={message.direction}>
                <Bubble message={message} name={name} />
              </li>
            ))}
          </ul>
        )}
        {tries > 0 && <Text size="sm">{words.tries(tries)}</Text>}
        <RequestCard requests={requests} />
        <HowLeft step={step} type={type} />
      </Stack>
    </li>
  );
};

/** Only waits show a duration below this, in ms. */
const worthTelling = 1_000;

/** "Waited 2 hr for a reply · took “answered”", or why it was not left well. */
const HowLeft = ({ step, type }: { step: ToldStep; type: string }) => {
  const { status, port, reason, entered_at: enteredAt, left_at: leftAt } = step;
  const ms = leftAt === null ? undefined : new Date(leftAt).getTime() - new Date(enteredAt).getTime();
  const waited = ms !== undefined && isWait(type) ? words.waited[type](sayDuration(ms)) : undefined;
  const left = [
    status === 'done' ? undefined : words.stepStatuses[status],
    waited,
    // The only way on is no news.
    port === null || port === 'default' ? undefined : words.tookPort(port),
  ].filter((part) => part !== undefined);
  const after = ms !== undefined && ms >= worthTelling && waited === undefined && words.after(sayDuration(ms));
  if (left.length === 0 && !after && reason === null) return null;
  return (
    <Text component="div" size="sm" c="dimmed" className="story-left">
      {left.join(' · ')} {after}
      {reason !== null && (
        <>
          {(left.length > 0 || after) && ' · '}
          <Text span inherit {...(isFailed(step) && { c: 'var(--mantine-color-error)' })}>
            {sayRunReason(reason)}
          </Text>
        </>
      )}
    </Text>
  );
};

const isWait = (type: string): type is keyof typeof words.waited => Object.hasOwn(words.waited, type);
