import { Alert, Button, Text } from '@mantine/core';
import { useBuilder } from '../builder/builder-context.ts';
import { changeBlock, textOf } from '../edits/blocks.ts';
import { freshIdOf } from '../edits/ids.ts';
import { isId } from '../edits/refs.ts';
import { useProblems } from './problems/field-problems.tsx';
import { useOpenBlock } from './open-block.ts';
import { words } from './words.ts';

/** Says of a block without an id of its own that nothing can lead to it, and gives it one. */
export const OwnId = () => {
  const { id } = useOpenBlock();
  return isId(id) ? null : <Missing />;
};

const Missing = () => {
  const { definition, edit, open } = useBuilder();
  const { id: ref, block, index } = useOpenBlock();
  // Its problem stands here.
  useProblems('id');
  const id = textOf(block, 'id');
  const give = (): void => {
    const fresh = freshIdOf(definition, index);
    edit({ label: words.ownId.give }, (before) => changeBlock(before, ref, (now) => ({ ...now, id: fresh })));
    open(fresh);
  };
  return (
    <Alert color="red" p="sm" title={id === '' ? words.ownId.none : words.ownId.taken(id)}>
      <Text size="sm" mb="xs">
        {words.ownId.hint}
      </Text>
      <Button size="compact-sm" variant="default" data-field="id" onClick={give}>
        {words.ownId.give}
      </Button>
    </Alert>
  );
};
