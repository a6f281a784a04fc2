import { ActionIcon, Menu, TextInput, VisuallyHidden } from '@mantine/core';
import { IconDots, IconX } from '@tabler/icons-react';
import { memo } from 'react';
import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { Copyable } from '../../../parts/copy.tsx';
import { blockKind } from '../../../parts/kinds/block-kinds.ts';
import { KindIcon } from '../../../parts/kinds/kind-icon.tsx';
import { commonWords } from '../../../words/common.ts';
import { useBuilder, type Builder } from '../builder/builder-context.ts';
import { words as drawingWords } from '../drawing/words.ts';
import { titleOf } from '../drawing/block-face.tsx';
import { textOf } from '../edits/blocks.ts';
import { isId } from '../edits/refs.ts';
import { useLeave } from './use-leave.ts';
import { useOpenBlock, type OpenBlock } from './open-block.ts';
import { FieldProblems, useProblems } from './problems/field-problems.tsx';
import { words } from './words.ts';

/** The most characters of a block's name. */
export const nameLength = 60;

/** What a block is and what people call it. Its id is for operators. */
export const Head = ({ id, block }: { id: string; block: RawBlock }) => {
  const { definition, edit, simulateFrom } = useBuilder();
  const leave = useLeave();
  const { setAt, showJson } = useOpenBlock();
  const problems = useProblems('name');
  const type = textOf(block, 'type');
  const { type: known, kind } = blockKind(type);
  const name = block['name'];
  const hasId = isId(id);
  const isStart = definition['start'] === id;
  return (
    <div className="panel-head">
      <VisuallyHidden component="h2">{titleOf({ id: textOf(block, 'id'), raw: block })}</VisuallyHidden>
      <KindIcon kind={kind} size={36} />
      <div className="panel-title" data-field="name">
        <TextInput
          aria-label={words.name}
          placeholder={known === 'unknown' && type ? type : drawingWords.kinds[known]}
          maxLength={nameLength}
          disabled={name !== undefined && typeof name !== 'string'}
          value={textOf(block, 'name')}
          onChange={({ currentTarget: { value } }) => setAt('name', value === '' ? undefined : value)}
        />
        <FieldProblems id="block-name-problems" problems={problems} />
        <div className="panel-id">
          <span>{known === 'unknown' && type ? type : drawingWords.kinds[known]}</span>
          {hasId && <Copyable value={id} label={words.id} />}
          {isStart && <span>{words.isStart}</span>}
        </div>
      </div>
      <HeadTools id={id} isStart={isStart} {...{ edit, leave, simulateFrom, showJson }} />
    </div>
  );
};

type ToolsProps = Pick<Builder, 'edit' | 'simulateFrom'> &
  Pick<OpenBlock, 'showJson'> & { id: string; isStart: boolean; leave: () => void };

const HeadTools = memo(({ id, isStart, edit, leave, simulateFrom, showJson }: ToolsProps) => {
  const hasId = isId(id);
  const makeStart = (): void => edit({ label: words.makeStart }, (before) => ({ ...before, start: id }));
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {hasId && <Menu.Item onClick={() => simulateFrom(id)}>{words.tryFrom}</Menu.Item>}
          {hasId && !isStart && <Menu.Item onClick={makeStart}>{words.makeStart}</Menu.Item>}
          <Menu.Item onClick={showJson}>{words.showJson}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={commonWords.close} onClick={leave}>
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </>
  );
});
HeadTools.displayName = 'HeadTools';
