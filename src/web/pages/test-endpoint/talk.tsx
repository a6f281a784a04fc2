import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconConfetti } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { To } from '../../parts/to.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSending } from '../../parts/use-sending.ts';
import { mappedField, sendAsAda } from './first-flow.ts';
import { Step } from './step.tsx';
import { words as all } from './words.ts';

const words = all.steps;

/** The flow's latest run, its reply, and the field that it mapped. */
const useTalk = (flowId: string | undefined) => {
  const isEnabled = flowId !== undefined;
  const { rows: [run] = [] } = useList('/runs', { query: { flow_id: flowId ?? '' }, limit: 1, isEnabled });
  const id = run?.contact_id ?? '';
  const { rows: messages } = useList('/contacts/{id}/messages', { id, isEnabled: run !== undefined });
  const { data: contact } = api.useQuery('get', '/contacts/{id}', { params: { path: { id } } }, { enabled: id !== '' });
  const value = contact?.custom_fields[mappedField];
  return {
    run,
    reply: run && messages?.find(({ run_id: runId }) => runId === run.id),
    value: typeof value === 'string' ? value : undefined,
  };
};

/** A contact writes to the flow. Shows the reply, and the field that the flow mapped. */
export const Talk = ({ flowId }: { flowId: string | undefined }) => {
  const { isSending, send } = useSending();
  const { run, reply, value } = useTalk(flowId);
  const isDone = reply !== undefined && value !== undefined;
  return (
    <Step number={5} title={words.talk} hint={words.talkHint} isDone={isDone} isNext={flowId !== undefined}>
      <div role="status">
        {run && (
          <Stack gap="sm">
            <Said name={words.senderName} text={words.order} />
            {reply ? <Said name={words.flowSays} text={reply.text} /> : <Text size="sm">{words.talking}</Text>}
            {isDone && <Mapped value={value} />}
          </Stack>
        )}
      </div>
      <Group gap="md">
        <Button
          variant={isDone ? 'default' : 'filled'}
          loading={isSending}
          onClick={() => void send(() => sendAsAda(words.order))}
        >
          {run ? words.sendAgain : words.sendOrder}
        </Button>
        {reply && (
          <>
            <To to={`/inbox/${reply.conversation_id}`}>{words.openConversation}</To>
            <To to={`/contacts/${reply.contact_id}`}>{words.openContact}</To>
            <To to="/settings/test-endpoint">{words.all}</To>
            <To to="/settings/webhooks">{words.ownServer}</To>
          </>
        )}
      </Group>
      {isDone && (
        <Text size="sm" c="dimmed">
          {words.nextHint}
        </Text>
      )}
    </Step>
  );
};

const Said = ({ name, text }: { name: string; text: string }) => (
  <Text size="sm">
    <strong>{words.says(name)}</strong> {text}
  </Text>
);

const Mapped = ({ value }: { value: string }) => (
  <Alert color="teal" variant="light" title={words.mapped} icon={<IconConfetti aria-hidden />} className="celebration">
    <Code>{mappedField}</Code> {words.mappedText(value)}
  </Alert>
);
