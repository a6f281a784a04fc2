import { Alert, Anchor, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { defaultPace } from '../../../shared/replays/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { useSending } from '../../parts/use-sending.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { ReplayCount } from '../replays/replay-count.tsx';
import { CheckOutcome } from './check-outcome.tsx';
import { LastFailure } from './last-failure.tsx';
import { CountOfAll } from './count-of-all.tsx';
import { words } from './words.ts';

type Outcome = Schemas['ReEnabledWebhook'];

/** The choices of a re-enabling, as the API has them. */
const choices = ['all', 'since', 'none'] as const;

type Choice = (typeof choices)[number];

const isChoice = (text: string): text is Choice => choices.some((choice) => choice === text);

/**
 * Re-enables a webhook whose endpoint is healthy (specification 3), and replays what was kept for it, as far as the user wants. What the endpoint
 * answered stays shown, also when the webhook is active again.
 */
export const ReEnable = ({ webhook }: { webhook: Schemas['DashboardWebhookDetail'] }) => {
  const { account } = useSignedIn();
  const [choice, setChoice] = useState<Choice>('all');
  const [since, setSince] = useState('');
  const [outcome, setOutcome] = useState<Outcome>();
  const [failure, setFailure] = useState<unknown>(null);
  const { isSending, send } = useSending(setFailure);
  const isDisabled = webhook.status === 'disabled' && webhook.disabled_reason === 'failures';
  if (!account.webhooks_allowed || (!isDisabled && !outcome)) return null;

  const sinceAt = new Date(since);
  const sinceIso = Number.isNaN(sinceAt.getTime()) ? undefined : sinceAt.toISOString();

  const ask = async (): Promise<void> => {
    setFailure(null);
    setOutcome(undefined);
    const replay = choice === 'since' ? { type: choice, since: sinceIso ?? '' } : ({ type: choice } as const);
    const path = { id: webhook.id };
    const { data } = await client.POST('/webhooks/{id}/re-enable', { params: { path }, body: { replay } });
    setOutcome(data);
    await invalidate('/webhooks', '/replays', '/overview');
  };

  return (
    <Section
      title={isDisabled ? words.reEnableTitle : words.reEnabledTitle}
      description={isDisabled ? words.reEnableText : undefined}
    >
      {isDisabled && (
        <Stack gap="sm">
          <LastFailure webhookId={webhook.id} />
          <Radio.Group
            label={words.replayWhat}
            value={choice}
            onChange={(value) => {
              if (isChoice(value)) setChoice(value);
            }}
          >
            <Stack gap="xs" mt="xs">
              {choices.map((value) => (
                <Radio key={value} value={value} label={words.replayChoices[value]} />
              ))}
            </Stack>
          </Radio.Group>
          {choice === 'since' && (
            <TextInput
              type="datetime-local"
              label={words.replaySince}
              required
              maw={280}
              value={since}
              onChange={({ currentTarget }) => setSince(currentTarget.value)}
            />
          )}
          {choice === 'since' && sinceIso !== undefined && (
            <ReplayCount filter={{ webhook_id: webhook.id, since: sinceIso, status: ['parked'] }} pace={defaultPace} />
          )}
          {choice === 'all' && <CountOfAll webhookId={webhook.id} />}
          <Group>
            <Button
              onClick={() => void send(ask)}
              loading={isSending}
              disabled={choice === 'since' && sinceIso === undefined}
            >
              {words.reEnable}
            </Button>
          </Group>
        </Stack>
      )}
      {failure ? <Failure error={failure} /> : null}
      {outcome?.last_check && (
        <CheckOutcome
          check={outcome.last_check}
          title={outcome.status === 'active' ? words.outcomes.healthy : words.outcomes.unhealthy}
        />
      )}
      {outcome && <Begun outcome={outcome} />}
    </Section>
  );
};

/** The replay that the re-enabling began, with what it found. */
const Begun = ({ outcome: { status, replay, replay_found: found } }: { outcome: Outcome }) => {
  if (status !== 'active') return null;
  if (!replay) return <Text size="sm">{words.noneReplayed}</Text>;
  return (
    <Alert color="teal" title={words.replayBegun}>
      {found && <Text size="sm">{words.replayFound({ ...found })}</Text>}
      <Anchor component={Link} to={`/settings/logs/replays/${replay.id}`} size="sm" c="inherit" td="underline">
        {words.seeReplay}
      </Anchor>
    </Alert>
  );
};
