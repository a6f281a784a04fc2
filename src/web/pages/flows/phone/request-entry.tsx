import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { confirm } from '../../../parts/confirm.tsx';
import { sayRunReason } from '../../../parts/say-run-reason.ts';
import { Status } from '../../../parts/status.tsx';
import { useSending } from '../../../parts/use-sending.ts';
import { Exchange } from '../../runs/exchange.tsx';
import { useBuilder } from '../builder/builder-context.ts';
import { findBlock } from '../edits/blocks.ts';
import { EditAnswer } from './edit-answer.tsx';
import { asMock, fixedAnswers } from './answers.ts';
import { proposeAnswer } from './propose-answer.ts';
import { sayValue, titleOf } from './say.ts';
import { answerOf, answerRequest, type Answer } from './session.ts';
import type { Entry, Request } from './transcript.ts';
import { useFieldTypes } from './use-field-types.ts';
import type { PhoneState } from './use-phone.ts';
import { words } from './words.ts';

type Props = { entry: Extract<Entry, { type: 'request' }>; phone: PhoneState };

/** A request of a block: what it asks, what responds, and whether that is simulated or real. One without a response asks for it. */
export const RequestEntry = ({ entry: { blockId, visit, attempts }, phone }: Props) => {
  const { definition, open } = useBuilder();
  const [isChoosing, setChoosing] = useState(false);
  const last = attempts.at(-1);
  if (!last) return null;
  const isOpen = last.port === null && last.status_code === null && last.reason === null;
  const answer = answerOf(phone.session, blockId, visit);
  const how = isOpen ? 'none' : last.mocked ? (answer?.how === 'real' ? 'real' : (answer?.how ?? 'none')) : 'real';
  return (
    <div className="phone-request" role="group" aria-label={words.request.title(titleOf(definition, blockId))}>
      <Stack gap={6}>
        <Group gap={8} justify="space-between" wrap="nowrap">
          <button
            type="button"
            className="phone-chip"
            title={words.openBlock(titleOf(definition, blockId))}
            onClick={() => open(blockId)}
          >
            <b>{last.method}</b> {sayValue(sayTarget(last.url), 60)}
          </button>
          <Outcome request={last} isOpen={isOpen} />
        </Group>
        <Text size="xs" c="dimmed">
          {words.request.how[how]}
          {last.reason !== null && ` · ${sayRunReason(last.reason)}`}
        </Text>
        {!isOpen && (
          <details>
            <summary>{words.request.details}</summary>
            <Exchange exchange={asExchange(last)} />
          </details>
        )}
        {isOpen || isChoosing ? (
          <Ways blockId={blockId} visit={visit} phone={phone} done={() => setChoosing(false)} />
        ) : (
          <Group>
            <Button size="compact-xs" variant="default" onClick={() => setChoosing(true)}>
              {words.request.change}
            </Button>
          </Group>
        )}
      </Stack>
    </div>
  );
};

const sayTarget = (url: string): string => {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : url;
};

const Outcome = ({ request, isOpen }: { request: Request; isOpen: boolean }) => {
  const { status_code: status, port } = request;
  if (isOpen) return <Status tone="waiting">…</Status>;
  return <Status tone={port === 'success' ? 'good' : 'bad'}>{status === null ? (port ?? '…') : String(status)}</Status>;
};

const asExchange = (request: Request) => ({
  ...request,
  request_headers: request.headers,
  request_body: request.body,
});

type WaysProps = { blockId: string; visit: number; phone: PhoneState; done: () => void };

/** What may respond. */
const Ways = ({ blockId, visit, phone, done }: WaysProps) => {
  const { flowId, definition } = useBuilder();
  const { isSending, send } = useSending();
  const typeOf = useFieldTypes();
  const [isEditing, setEditing] = useState(false);
  const [problem, setProblem] = useState<string>();
  const proposed = typeOf && proposeAnswer(findBlock(definition, blockId), typeOf);
  const { ways } = words.request;
  const use = (answer: Answer): void => {
    phone.setSession((now) => answerRequest(now, blockId, visit, answer));
    phone.composer.current?.focus();
    done();
  };
  const takeLast = async (): Promise<void> => {
    const { data } = await client.GET('/flows/{id}/blocks/{block}/last-response', {
      params: { path: { id: flowId, block: blockId } },
    });
    if (data?.request) use({ how: 'last', mock: asMock(data.request) });
    else setProblem(words.request.none);
  };
  const sendReally = (): void =>
    confirm({
      title: words.request.realTitle,
      children: words.request.realText,
      action: words.request.realAction,
      onConfirm: async () => {
        await phone.askReally(blockId, visit);
        done();
      },
    });
  const chooses = (label: string, onClick: () => void) => (
    <Button key={label} size="compact-xs" variant="light" loading={isSending} onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <Stack gap={6} role="group" aria-label={words.request.choose}>
      <Text size="xs" c="dimmed">
        {words.request.chooseHint}
      </Text>
      <Group gap={6}>
        {proposed && chooses(ways.success, () => use({ how: 'success', mock: proposed }))}
        {chooses(ways.not_found, () => use(fixedAnswers.not_found))}
        {chooses(ways.timeout, () => use(fixedAnswers.timeout))}
        {chooses(ways.no_connection, () => use(fixedAnswers.no_connection))}
        {chooses(ways.last, () => void send(takeLast))}
        {chooses(ways.edit, () => setEditing(!isEditing))}
        {phone.session.version === undefined || phone.isCurrent ? chooses(ways.real, sendReally) : null}
      </Group>
      {problem !== undefined && (
        <Text size="xs" role="alert">
          {problem}
        </Text>
      )}
      {isEditing && proposed && <EditAnswer proposed={proposed} use={(mock) => use({ how: 'success', mock })} />}
    </Stack>
  );
};
