import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type Dispatch, type RefObject, type SetStateAction } from 'react';
import { client, type Schemas } from '../../../api/client.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { ContactSelect } from '../../../parts/contact-select.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { useSending } from '../../../parts/use-sending.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { textOf } from '../edits/blocks.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { useFields } from '../panel/use-fields.ts';
import { Answer, type Sample } from './answer.tsx';
import { findPlaceholders, sampleOf } from './find-placeholders.ts';
import type { MappingTable } from './read-request.ts';
import { SampleValues } from './sample-values.tsx';
import { SentBytes, TestResult } from './test-result.tsx';
import { words } from './words.ts';

/** What was typed and answered last. */
export type KeptTest = {
  typed: ReadonlyMap<string, string>;
  tested?: Schemas['TestedRequest'] | undefined;
  sample?: (Sample & { table: MappingTable; isOfRun: boolean }) | undefined;
};

type Props = BlockFormProps & { kept: readonly [KeptTest, Dispatch<SetStateAction<KeptTest>>] };

type Answered = Pick<
  Schemas['TestedRequest'],
  'status_code' | 'response_headers' | 'response_body' | 'response_truncated' | 'port'
>;

const isGood = (port: string | null, status: number | null): boolean =>
  port === null || port === '' ? status !== null && status >= 200 && status < 300 : port === 'success';

const sampleFrom = (answered: Answered | Schemas['ExternalRequest'], isOfRun: boolean): KeptTest['sample'] =>
  answered.status_code === null
    ? undefined
    : {
        status: answered.status_code,
        headers: answered.response_headers,
        body: answered.response_body,
        isTruncated: answered.response_truncated,
        table: isGood(answered.port, answered.status_code) ? 'mapping' : 'error_mapping',
        isOfRun,
      };

/** Scrolls to where something new is shown, which may be below all fields. What was there before stays where it is. */
const useInSight = (shown: unknown): RefObject<HTMLDivElement | null> => {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    if (shown) place.current?.scrollIntoView({ block: 'start' });
  }, [shown]);
  return place;
};

/** Makes the request as it stands in the editor, once, and maps what comes of it. */
export const TestPart = ({ block, set, kept: [kept, keep] }: Props) => {
  const { flowId, contactId, setContactId } = useBuilder();
  const fields = useFields();
  const [failure, setFailure] = useState<unknown>();
  const [noLast, setNoLast] = useState(false);
  const { isSending, send } = useSending(setFailure);
  const id = textOf(block, 'id');
  const asked = findPlaceholders(block, fields ?? new Map());
  const { typed, tested, sample } = kept;
  const outcome = useInSight(tested ?? sample ?? failure ?? noLast);

  const test = async (): Promise<void> => {
    setFailure(undefined);
    setNoLast(false);
    const { data } = await client.POST('/flows/{id}/blocks/{block}/test-request', {
      params: { path: { id: flowId, block: id } },
      body: { ...sampleOf(asked, typed), block, ...(contactId !== undefined && { contact_id: contactId }) },
    });
    if (data) keep((now) => ({ ...now, tested: data, sample: sampleFrom(data, false) }));
  };
  const takeLast = async (): Promise<void> => {
    setFailure(undefined);
    const { data } = await client.GET('/flows/{id}/blocks/{block}/last-response', {
      params: { path: { id: flowId, block: id } },
    });
    const request = data?.request;
    setNoLast(!request);
    if (request) keep((now) => ({ ...now, tested: undefined, sample: sampleFrom(request, true) }));
  };

  const details = failure instanceof ApiFailure ? failure.details : [];
  const ofValues = new Map(
    details.flatMap(({ path, message }) => (path.startsWith('values.') ? [[path.slice(7), message]] : [])),
  );
  const ofBlock = details.filter(({ path }) => path.startsWith('block.'));
  return (
    <Stack gap="md">
      <ContactSelect
        placeholder={words.test.contact}
        value={contactId}
        onChange={(chosen) => setContactId(chosen ?? undefined)}
      />
      <SampleValues
        asked={asked}
        typed={typed}
        type={(path, text) => keep((now) => ({ ...now, typed: new Map(now.typed).set(path, text) }))}
        contactId={contactId}
        problems={ofValues}
      />
      <Group gap="xs">
        <Button loading={isSending} onClick={() => void send(test)}>
          {words.test.send}
        </Button>
        <Button variant="default" onClick={() => void send(takeLast)}>
          {words.test.takeLast}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {words.test.sendHint}
      </Text>
      {block['for_each'] !== undefined && (
        <Text size="xs" c="dimmed">
          {words.test.firstItem}
        </Text>
      )}
      <Stack ref={outcome} gap="md" className="request-outcome">
        {noLast && <Alert color="gray">{words.test.noLast}</Alert>}
        {ofBlock.length > 0 && (
          <Alert color="red" title={words.test.invalid} role="alert">
            {ofBlock.map(({ path, message }) => (
              <Text key={`${path} ${message}`} size="sm">
                {path.slice(6)}: {message}
              </Text>
            ))}
          </Alert>
        )}
        {failure && ofBlock.length === 0 && ofValues.size === 0 ? <Failure error={failure} /> : null}
        {tested && <TestResult id={id} block={block} tested={tested} />}
        {sample?.isOfRun && (
          <Text size="sm" c="dimmed" role="status">
            {words.test.last}
          </Text>
        )}
        {sample && <Answer block={block} set={set} sample={sample} table={sample.table} />}
        {tested && <SentBytes tested={tested} />}
      </Stack>
    </Stack>
  );
};
