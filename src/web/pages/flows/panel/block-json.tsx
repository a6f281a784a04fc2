import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { parseJson } from '../../../../shared/platform/json/parse-json.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { blocksOf, changeBlock, textOf } from '../edits/blocks.ts';
import { completeBlock } from '../json/complete/source.ts';
import { JsonEditor } from '../json/json-editor.tsx';
import { titleOf } from '../drawing/block-face.tsx';
import { isId } from '../edits/refs.ts';
import { createPlaces } from '../json/places.ts';
import { useOpenBlock } from './open-block.ts';
import { words } from './words.ts';

const show = (block: RawBlock): string => JSON.stringify(block, null, 2);

const read = (text: string): RawBlock | undefined => {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Whether a block keeps an id of its own, by which the panel finds it. */
const hasOwnId = ({ id }: RawBlock, ids: string): boolean =>
  typeof id === 'string' && id !== '' && !ids.split(' ').includes(id);

/** One block as JSON. What is no block with an id of its own stays in the editor, and changes nothing. */
export const BlockJson = ({ id, block }: { id: string; block: RawBlock }) => {
  const { definition, edit, select } = useBuilder();
  const { issues } = useOpenBlock();
  const title = isId(id) ? id : titleOf({ id: textOf(block, 'id'), raw: block });
  const [written, setWritten] = useState({ of: block, text: show(block) });
  const isOwn = written.of === block || show(written.of) === show(block);
  const text = isOwn ? written.text : show(block);
  const ids = blocksOf(definition)
    .filter((other) => other !== block)
    .map((other) => textOf(other, 'id'))
    .join(' ');
  const complete = useMemo(() => completeBlock(ids.split(' ').filter(Boolean)), [ids]);
  const diagnostics = useMemo(() => {
    const placeOf = createPlaces(text);
    return issues.map(({ path, severity, message, hint }) => ({
      ...placeOf(path),
      severity,
      message: [message, hint].filter(Boolean).join(' '),
    }));
  }, [issues, text]);
  const change = (typed: string): void => {
    const changed = read(typed);
    const isTaken = changed !== undefined && hasOwnId(changed, ids);
    setWritten({ of: isTaken ? changed : block, text: typed });
    if (!isTaken) return;
    edit({ label: words.change(title), gesture: `${id} json` }, (before) => changeBlock(before, id, () => changed));
    if (typeof changed['id'] === 'string' && changed['id'] !== id) select([changed['id']]);
  };
  const now = read(text);
  return (
    <>
      <JsonEditor
        label={words.json.label(title)}
        value={text}
        onChange={change}
        diagnostics={diagnostics}
        complete={complete}
        height="55vh"
      />
      <Text size="xs" c="error" role="status" mt={4}>
        {now ? !hasOwnId(now, ids) && words.json.noId : words.json.problem}
      </Text>
    </>
  );
};
