import { Alert, MultiSelect, NumberInput, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { defaultPace, newReplay } from '../../../shared/replays/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Facts } from '../../parts/facts.tsx';
import { FormModal } from '../../parts/form-modal.tsx';
import { Time } from '../../parts/time.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { deliveryWords } from '../../words/deliveries.ts';
import { ReplayCount } from './replay-count.tsx';
import { words } from './words.ts';

type Statuses = Schemas['Replay']['filter']['status'];

const replayable: Statuses = ['failed', 'dropped', 'parked', 'cancelled', 'delivered'];

/** What is usually meant: what has not arrived. */
const usual: Statuses = ['failed', 'dropped', 'parked'];

/** What is chosen here; webhook and time stand in the log's filters. */
const choice: z.ZodType<unknown, { status: Statuses; pace: number }> = z.object({
  status: newReplay.shape.status.unwrap(),
  pace: newReplay.shape.pace.unwrap(),
});

type Props = {
  close: () => void;
  /** Of the log: statuses that cannot be replayed are left out. */
  filter: {
    statuses: readonly string[];
    webhook_id: string | undefined;
    since: string | undefined;
    until: string | undefined;
  };
  /** Whether the log is narrowed by more than a replay can be. */
  isNarrower: boolean;
};

/** Says how many deliveries would be sent again and at which pace, and starts that. */
export const NewReplay = ({ close, filter: { statuses, webhook_id, since, until }, isNarrower }: Props) => {
  const navigate = useNavigate();
  const webhooks = useWebhooks();
  const asked = replayable.filter((status) => statuses.includes(status));
  const place = { ...(webhook_id && { webhook_id }), ...(since && { since }), ...(until && { until }) };
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: { status: asked.length > 0 ? asked : usual, pace: defaultPace },
    schema: choice,
    onSubmit: async ({ status, pace }) => {
      const { data } = await client.POST('/replays', { body: { ...place, status, pace } });
      await invalidate('/replays');
      if (data) await navigate(`/settings/logs/replays/${data.id}`);
    },
  });
  const { status, pace } = form.values;
  return (
    <FormModal close={close} title={words.startTitle} action={words.startAction} {...{ submit, isSending, failure }}>
      <Text size="sm">{words.startText}</Text>
      {isNarrower && <Alert color="yellow">{words.ignored}</Alert>}
      <Facts
        facts={[
          [words.webhook, webhook_id ? webhooks.sayWebhook(webhook_id) : words.allWebhooks],
          [words.since, since && <Time key="since" at={since} format="exact" />],
          [words.until, until && <Time key="until" at={until} format="exact" />],
        ]}
      />
      <MultiSelect
        label={words.statuses}
        required
        data={replayable.map((one) => ({ value: one, label: deliveryWords.statuses[one] }))}
        {...form.getInputProps('status')}
      />
      <NumberInput
        label={words.pace}
        description={words.paceHint}
        required
        min={1}
        max={200}
        allowDecimal={false}
        {...form.getInputProps('pace')}
      />
      {status.length > 0 && <ReplayCount filter={{ ...place, status }} pace={pace} />}
    </FormModal>
  );
};
