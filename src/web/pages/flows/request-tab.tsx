import { Alert, Code, JsonInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { parseJson } from '../../../shared/platform/json/parse-json.ts';
import { client } from '../../api/client.ts';
import { ContactSelect } from '../../parts/contact-select.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Form } from '../../parts/form.tsx';
import { sayRunReason } from '../../parts/say-run-reason.ts';
import { Section } from '../../parts/section.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { Exchange } from '../runs/exchange.tsx';
import { MappedFields } from '../runs/mapped-fields.tsx';
import { sayDuration } from '../runs/say-duration.ts';
import { runWords } from '../../words/runs.ts';
import type { AnyDefinition } from './definition-text.ts';
import type { Draft } from './draft/use-draft.ts';
import { words } from './words.ts';

const requestBlock = z.object({ id: z.string(), type: z.literal('external_request') });

/** The ids of the blocks of a definition that make a request. */
const requestsOf = (definition: AnyDefinition): string[] => {
  const blocks: readonly unknown[] = Array.isArray(definition['blocks']) ? definition['blocks'] : [];
  return blocks.flatMap((block) => {
    const { data: found } = requestBlock.safeParse(block);
    return found ? [found.id] : [];
  });
};

const record = z.record(z.string(), z.unknown());

/** Sample values as they were typed; undefined for what is no object of JSON. */
const readValues = (text: string): z.infer<typeof record> | undefined => {
  try {
    return text.trim() === '' ? {} : record.safeParse(parseJson(text)).data;
  } catch {
    return undefined;
  }
};

const ask = async (id: string, block: string, sample: Sample) => {
  const { data } = await client.POST('/flows/{id}/blocks/{block}/test-request', {
    params: { path: { id, block } },
    body: { ...sample, reply: null, event: null },
  });
  return data;
};

type Sample = { values: z.infer<typeof record>; contact_id?: string };
type Tested = NonNullable<Awaited<ReturnType<typeof ask>>>;

/** Makes the request of a block of the draft once, as a run would for a contact, and shows all of it. */
export const RequestTab = ({ flowId, draft }: { flowId: string; draft: Draft }) => {
  const [tested, setTested] = useState<{ block: string; outcome: Tested }>();
  const blocks = requestsOf(draft.definition);
  const { form, ...state } = useApiForm({
    initialValues: { block: blocks[0] ?? '', contact: '', values: '' },
    onSubmit: async ({ block, contact, values: typed }) => {
      const values = readValues(typed);
      if (!values) {
        form.setFieldError('values', words.testRequest.noObject);
        return;
      }
      setTested(undefined);
      const outcome = await ask(flowId, block, { values, ...(contact !== '' && { contact_id: contact }) });
      if (outcome) setTested({ block, outcome });
    },
  });
  if (blocks.length === 0) return <Empty title={words.testRequest.empty}>{words.testRequest.emptyHint}</Empty>;
  return (
    <Stack gap="md">
      <Section title={words.testRequest.title} description={words.testRequest.hint}>
        {draft.isChanged && <Alert color="orange">{words.testRequest.unsaved}</Alert>}
        <Form {...state} action={words.testRequest.send}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label={words.testRequest.block}
              data={blocks}
              allowDeselect={false}
              {...form.getInputProps('block')}
            />
            <ContactSelect
              placeholder={words.testRequest.noContact}
              value={form.values.contact || undefined}
              onChange={(id) => form.setFieldValue('contact', id ?? '')}
            />
          </SimpleGrid>
          <JsonInput
            label={words.testRequest.values}
            description={words.testRequest.valuesHint}
            placeholder='{ "size": "L" }'
            autosize
            minRows={2}
            maxRows={12}
            validationError={words.testRequest.noObject}
            {...form.getInputProps('values')}
          />
        </Form>
      </Section>
      {tested && (
        <Section title={words.testRequest.outcome(tested.block)}>
          <Outcome {...tested.outcome} />
        </Section>
      )}
    </Stack>
  );
};

/** What was sent, what came back, and what a run would make of it. */
const Outcome = (tested: Tested) => {
  const { problem, port, reason, retry_in_ms: retryInMs, duration_ms: durationMs } = tested;
  if (problem)
    return (
      <Alert color="red" title={words.testRequest.notSent} role="alert">
        <Text size="sm">
          <Code>{problem.place}</Code> {problem.position !== null && words.testRequest.position(problem.position)}{' '}
          {problem.message}
        </Text>
      </Alert>
    );
  return (
    <Stack gap="sm" role="status">
      <Facts
        stacks
        facts={[
          [words.testRequest.status, tested.status_code],
          [runWords.request.port, port && <Code key="port">{port}</Code>],
          [words.testRequest.again, retryInMs === null ? null : sayDuration(retryInMs)],
          [words.testRequest.took, durationMs === null ? null : sayDuration(durationMs)],
          [runWords.request.address, tested.address],
          [runWords.reason, reason && sayRunReason(reason)],
          [runWords.request.detail, tested.detail],
        ]}
      />
      <MappedFields fields={tested.fields} />
      <Exchange exchange={tested} />
    </Stack>
  );
};
