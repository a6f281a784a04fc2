import { Alert, NumberInput, Select } from '@mantine/core';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { newRetry } from '../../../shared/retries/schema.ts';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { BulkEstimate } from '../../parts/bulk-work.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FormModal } from '../../parts/form-modal.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { PreviewedRequests } from './previewed-requests.tsx';
import { words } from './words.ts';

const choice: z.ZodType<unknown, { version: string; pace: number }> = z.object({
  version: z.string(),
  pace: newRetry.shape.pace.unwrap(),
});

type Props = {
  flowId: string;
  failure: Schemas['FlowFailures']['failures'][number];
  close: () => void;
};

/** Says how many runs would go on from a block, on which version and with which requests, and starts that. */
export const NewRetry = ({ flowId, failure, close }: Props) => {
  const navigate = useNavigate();
  const flow = api.useQuery('get', '/flows/{id}', { params: { path: { id: flowId } } });
  const live = flow.data?.version ?? failure.flow_version;
  const filter = {
    flow_id: flowId,
    block_id: failure.block_id,
    from_versions: [failure.flow_version],
    ...(failure.reason !== null && { reasons: [failure.reason] }),
  };
  const {
    form,
    submit,
    isSending,
    failure: refusal,
  } = useApiForm({
    initialValues: { version: String(live), pace: 20 },
    schema: choice,
    onSubmit: async ({ version, pace }) => {
      const { data } = await client.POST('/retries', { body: { ...filter, version: Number(version), pace } });
      await invalidate('/retries', '/runs', '/flows');
      if (data) await navigate(`/settings/logs/retries/${data.id}`);
    },
  });
  const { version, pace } = form.values;
  const preview = api.useQuery('post', '/retries/preview', { body: { ...filter, version: Number(version) } });
  const versions = [...new Set([live, failure.flow_version])].toSorted((one, other) => other - one);
  return (
    <FormModal
      close={close}
      title={words.start.title(failure.block_id)}
      action={preview.data ? words.start.action(preview.data.count) : words.start.actionUncounted}
      size="lg"
      {...{ submit, isSending, failure: refusal }}
    >
      {failure.reason === 'outcome_unknown' && <Alert color="yellow">{words.start.unknown}</Alert>}
      <Select
        label={words.start.version}
        description={words.start.versionHint}
        required
        allowDeselect={false}
        data={versions.map((one) => ({ value: String(one), label: words.start.versionOf(one, one === live) }))}
        {...form.getInputProps('version')}
      />
      <NumberInput
        label={words.start.pace}
        description={words.start.paceHint}
        required
        min={1}
        max={200}
        allowDecimal={false}
        {...form.getInputProps('pace')}
      />
      {preview.error ? (
        <Failure error={preview.error} />
      ) : (
        <BulkEstimate
          found={preview.data}
          pace={pace}
          sayFound={{ none: words.start.foundNone, all: words.start.found, more: words.start.foundMore }}
        />
      )}
      {preview.data && <PreviewedRequests requests={preview.data.requests} />}
    </FormModal>
  );
};
