import { Stack, Title } from '@mantine/core';
import { startId, useBuilder } from '../builder/builder-context.ts';
import { changeBlock, findBlock, setFields, textOf } from '../edits/blocks.ts';
import { forms } from './forms.ts';
import { StartForm } from './start/start-form.tsx';
import { words } from './words.ts';

/** The form of the selected block. */
export const Panel = () => {
  const { definition, selected, edit, issues } = useBuilder();
  const [id = ''] = selected;
  const block = findBlock(definition, id);
  const type = block ? textOf(block, 'type') : '';
  const Form = forms[type];
  if (id === startId) return <StartForm />;
  if (!block) return null;
  const index = Array.isArray(definition['blocks']) ? definition['blocks'].indexOf(block) : -1;
  const within = `blocks.${index}.`;
  const own = issues
    .filter(({ path }) => path.startsWith(within))
    .map((issue) => ({ ...issue, path: issue.path.slice(within.length) }));
  const set = (fields: Readonly<Record<string, unknown>>, field = Object.keys(fields).join()): void =>
    edit({ label: words.change(id), gesture: `${id} ${field}` }, (before) =>
      changeBlock(before, id, (now) => setFields(now, fields)),
    );
  return (
    <Stack p="md" gap="md">
      <Title order={2} size="h5">
        {id}
      </Title>
      {Form && <Form key={id} block={block} set={set} issues={own} />}
    </Stack>
  );
};
