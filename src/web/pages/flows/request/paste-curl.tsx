import { Alert, Button, Code, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { newCredential } from '../../../../shared/credentials/schema.ts';
import { parseCurl, type ParsedCurl } from '../../../../shared/flows/curl/parse-curl.ts';
import { client } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { keepWarnings } from '../../../api/warnings.ts';
import { Failure } from '../../../parts/failure.tsx';
import { useFocusBack } from '../../../parts/use-focus-back.ts';
import { useList } from '../../../parts/use-list.ts';
import { useSending } from '../../../parts/use-sending.ts';
import { useTestUrl } from '../../../parts/use-test-url.ts';
import { commonWords } from '../../../words/common.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { hasRoom } from '../edits/add.ts';
import { changeBlock } from '../edits/blocks.ts';
import { addRequest } from './add-request.ts';
import { decideCurl, replaceRequest } from './apply-curl.ts';
import { beginDecision, CurlSecret, readDecision, type Decision } from './curl-secret.tsx';
import { CurlNotes } from './curl-notes.tsx';
import { ExposedTexts } from './exposed-texts.tsx';
import { sayPosition } from './say-position.ts';
import { words } from './words.ts';

type Props = {
  /** The command, as far as it is known. */
  text: string;
  /** Where on the canvas a new block is to stand. */
  at?: { x: number; y: number } | undefined;
  /** The block whose request is replaced; a new block when not given. */
  replaces?: string | undefined;
  close: () => void;
};

type Read = Extract<ParsedCurl, { ok: true }>;

/** Makes a block of a cURL command: shows what becomes of it, and stores its secrets as credentials. */
export const PasteCurl = ({ text: begun, at, replaces, close }: Props) => {
  useFocusBack();
  const [text, setText] = useState(begun);
  const { rows } = useList('/credentials', { limit: 200 });
  const taken = useMemo(() => rows?.map(({ name }) => name) ?? [], [rows]);
  const { url: ownUrl } = useTestUrl();
  const read = useMemo(
    () => (text.trim() === '' ? undefined : parseCurl(text, { taken, ownUrl })),
    [text, taken, ownUrl],
  );
  return (
    <Modal opened onClose={close} title={words.curl.title} size="lg">
      <Stack gap="md">
        <Textarea
          label={words.curl.command}
          description={words.curl.commandHint}
          classNames={{ input: 'request-code' }}
          value={text}
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          data-autofocus={begun === '' || undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {read && !read.ok && (
          <Alert color="red" title={words.curl.notRead} role="alert">
            {read.problems.map(({ position, message }) => (
              <Text key={`${position} ${message}`} size="sm">
                {sayPosition(text, position)} {message}
              </Text>
            ))}
          </Alert>
        )}
        {read && !read.ok && <CurlNotes notes={read.notes} />}
        {read?.ok && rows && (
          // Another text has other secrets.
          <Decide key={text} read={read} at={at} replaces={replaces} close={close} existing={rows} />
        )}
      </Stack>
    </Modal>
  );
};

type DecideProps = Omit<Props, 'text'> & { read: Read; existing: readonly { name: string; hosts: string[] }[] };

const Decide = ({ read, at, replaces, close, existing }: DecideProps) => {
  const { definition, edit, open } = useBuilder();
  const isFull = replaces === undefined && !hasRoom(definition);
  const { request, credentials, exposed, notes } = read;
  const [decisions, setDecisions] = useState<readonly Decision[]>(() =>
    credentials.map((proposal) => beginDecision(proposal, existing)),
  );
  const [placeholders, setPlaceholders] = useState<ReadonlyMap<string, string>>(new Map());
  const [failure, setFailure] = useState<unknown>();
  const [showsProblems, setShowsProblems] = useState(false);
  const created = useRef(new Set<string>());
  const { isSending, send } = useSending(setFailure);
  const problemsOf = (decision: Decision): ReadonlyMap<string, string> => {
    if (decision.kind !== 'create') return new Map();
    const { error } = newCredential.safeParse(readDecision(decision));
    return new Map(error?.issues.map(({ path, message }) => [String(path[0]), message]) ?? []);
  };
  const change = (index: number, next: Partial<Decision>): void =>
    setDecisions((now) => now.map((one, other) => (other === index ? { ...one, ...next } : one)));

  const submit = async (): Promise<void> => {
    setFailure(undefined);
    if (decisions.some((decision) => problemsOf(decision).size > 0)) {
      setShowsProblems(true);
      return;
    }
    for (const decision of decisions) {
      // What was created before another one was refused is there.
      if (decision.kind !== 'create' || created.current.has(decision.name)) continue;
      const { data: saved } = await client.POST('/credentials', { body: readDecision(decision) });
      created.current.add(decision.name);
      if (saved) keepWarnings(saved.id, saved.warnings);
    }
    if (created.current.size > 0) await invalidate('/credentials');
    const decided = decideCurl(request, {
      credentials: new Map(
        decisions.map((one) => [one.proposal.credential.name, one.kind === 'omit' ? undefined : one.name]),
      ),
      placeholders,
    });
    if (replaces === undefined) {
      let id = '';
      edit({ label: words.curl.step }, (before) => {
        const added = addRequest(before, decided, at);
        ({ id } = added);
        return added.definition;
      });
      if (id !== '') open(id);
    } else
      edit({ label: words.curl.step }, (before) =>
        changeBlock(before, replaces, (block) => replaceRequest(block, decided)),
      );
    close();
  };

  return (
    <>
      <Code block className="request-summary">
        {`${request.method} ${request.url}`}
      </Code>
      {decisions.map((decision, index) => (
        <CurlSecret
          key={decision.proposal.credential.name}
          decision={decision}
          existing={existing}
          problems={showsProblems ? problemsOf(decision) : new Map()}
          change={(next) => change(index, next)}
        />
      ))}
      <ExposedTexts exposed={exposed} placeholders={placeholders} change={setPlaceholders} />
      <CurlNotes notes={notes} />
      {isFull && <Alert color="red">{words.curl.full}</Alert>}
      {failure ? <Failure error={failure} /> : null}
      <Group justify="flex-end" className="request-foot">
        <Button variant="default" onClick={close}>
          {commonWords.cancel}
        </Button>
        <Button loading={isSending} disabled={isFull} onClick={() => void send(submit)}>
          {replaces === undefined ? words.curl.create : words.curl.replace}
        </Button>
      </Group>
    </>
  );
};
