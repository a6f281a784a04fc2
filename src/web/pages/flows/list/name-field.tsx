import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useActing } from '../builder/acting-context.ts';
import { focusFirst } from '../canvas/hold.ts';
import type { DrawnBlock } from '../drawing/read-flow.ts';
import { textOf } from '../edits/blocks.ts';
import { nameLength } from '../panel/head.tsx';
import { words } from './words.ts';

type Props = { id: string; block: DrawnBlock; end: () => void };

/** The name of a block of the list, while it is typed. Enter takes it, Escape does not. */
export const NameField = ({ id, block, end }: Props) => {
  const { actions, focus } = useActing();
  const before = textOf(block.raw, 'name');
  const isLeft = useRef(false);
  const leave = (name: string, goesBack: boolean): void => {
    if (isLeft.current) return;
    isLeft.current = true;
    if (name !== before) actions.rename(id, name);
    end();
    if (goesBack) focus(id);
  };
  return (
    <TextInput
      ref={focusFirst}
      m="xs"
      aria-label={words.name}
      placeholder={block.id}
      maxLength={nameLength}
      defaultValue={before}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        // The block that has the focus next does not hear the key.
        event.preventDefault();
        leave(event.key === 'Enter' ? event.currentTarget.value : before, true);
      }}
      onBlur={({ currentTarget }) => leave(currentTarget.value, false)}
    />
  );
};
