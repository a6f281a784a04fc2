import { Anchor, Button, FileInput, Group, List, Modal, Stack, Text } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { parseJson } from '../../../shared/platform/json/parse-json.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Failure } from '../../parts/failure.tsx';
import { useFocusBack } from '../../parts/use-focus-back.ts';
import { useSending } from '../../parts/use-sending.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

/** Makes a new flow of a file, and says what has to be made by hand. */
export const ImportFlow = ({ close }: { close: () => void }) => {
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<unknown>(null);
  const [imported, setImported] = useState<Schemas['ImportedFlow']>();
  const { isSending, send } = useSending(setFailure);
  useFocusBack();

  const choose = (chosen: File | null): void => {
    setFile(chosen);
    setProblem(undefined);
    setFailure(null);
  };
  const importFile = async (chosen: File): Promise<void> => {
    const read = await readFile(chosen);
    if (read.type === 'unreadable') {
      // Only an empty input notices that the same file is chosen again.
      choose(null);
      return setProblem(words.fileChanged);
    }
    if (read.type === 'no_json') return setProblem(words.noJson);
    if (read.type === 'no_flow') return setProblem(words.noFlowFile(read.problem));
    const { data } = await client.POST('/flows/import', { body: read.file });
    setImported(data);
    await invalidate('/flows', '/custom-fields');
  };
  const submit = (): void => {
    if (!file) return;
    setProblem(undefined);
    setFailure(null);
    void send(() => importFile(file));
  };

  return (
    <Modal opened onClose={close} title={imported ? words.imported : words.import}>
      {imported ? (
        <Imported {...imported} end={close} />
      ) : (
        <Stack gap="md">
          {failure ? <Failure error={failure} /> : null}
          <FileInput
            label={words.chooseFile}
            description={words.importHint}
            placeholder={words.noFileYet}
            leftSection={<IconFile size={16} aria-hidden />}
            accept="application/json,.json"
            value={file}
            onChange={choose}
            error={problem}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {commonWords.cancel}
            </Button>
            <Button onClick={submit} loading={isSending} disabled={!file}>
              {words.import}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
};

type Read =
  | { type: 'read'; file: Schemas['FlowFile'] }
  | { type: 'unreadable' }
  | { type: 'no_json' }
  | { type: 'no_flow'; problem: string };

const readFile = async (file: File): Promise<Read> => {
  // Only who imports needs the schema of files, which knows all blocks.
  // A browser refuses to read a file that has changed since it was chosen.
  const [{ flowFile }, text] = await Promise.all([
    import('../../../shared/flows/file.ts'),
    file.text().catch(() => undefined),
  ]);
  if (text === undefined) return { type: 'unreadable' };
  let given: unknown;
  try {
    given = parseJson(text);
  } catch {
    return { type: 'no_json' };
  }
  const { data, error } = flowFile.safeParse(given);
  if (data) {
    const fields = data.needs.fields.map(({ options, ...field }) => ({
      ...field,
      ...(options !== undefined && { options }),
    }));
    return { type: 'read', file: { ...data, needs: { ...data.needs, fields } } };
  }
  const [first] = error.issues;
  return { type: 'no_flow', problem: `${first?.path.map(String).join('.') ?? ''} ${first?.message ?? ''}`.trim() };
};

const Imported = ({ flow, made, missing, end }: Schemas['ImportedFlow'] & { end: () => void }) => (
  <Stack gap="sm">
    {made.fields.length > 0 && <Text size="sm">{words.importedFields(made.fields.join(', '))}</Text>}
    {missing.length === 0 ? (
      <Text size="sm">{words.importedNothing}</Text>
    ) : (
      <>
        <Text size="sm">{words.importedMissing}</Text>
        <List size="sm">
          {missing.map(({ type, name, reason }) => (
            <List.Item key={`${type} ${name}`}>
              {words.missing[type]} “{name}” {words.missingReasons[reason]}
            </List.Item>
          ))}
        </List>
      </>
    )}
    <Group justify="flex-end">
      <Button variant="default" onClick={end}>
        {commonWords.close}
      </Button>
      <Anchor component={Link} to={`/flows/${flow.id}?tab=json`} onClick={end}>
        {words.openIt}
      </Anchor>
    </Group>
  </Stack>
);
