import { Badge } from '@mantine/core';
import { blockKind } from '../../../parts/kinds/block-kinds.ts';
import { KindIcon } from '../../../parts/kinds/kind-icon.tsx';
import { Status } from '../../../parts/status.tsx';
import { useDrawing } from './drawing-context.ts';
import type { DrawnBlock } from './read-flow.ts';
import { sayBlock } from './say-block.ts';
import { words } from './words.ts';

/** How many runs are at a block. */
export const Count = ({ count }: { count: string | undefined }) => {
  if (count === undefined) return null;
  return (
    <Badge size="sm" className="status" data-tone="busy" aria-label={words.here(count)} role="img">
      {count}
    </Badge>
  );
};

const tones = { entered: 'good', here: 'busy', failed: 'bad' } as const;

/** What became of a block in the run that is drawn. */
const Walked = ({ state }: { state: keyof typeof tones | undefined }) =>
  state && <Status tone={tones[state]}>{words.walked[state]}</Status>;

/** A block: its kind, its id, what it does in a line, and how many runs are at it. Of plain elements, for there may be hundreds. */
export const BlockFace = ({ block: { id, type, raw } }: { block: DrawnBlock }) => {
  const { countAt, nameOf, wrapFace, walk } = useDrawing();
  const { type: known, kind } = blockKind(type);
  const says = sayBlock(type, raw, { flow: nameOf });
  return wrapFace(
    id,
    <>
      <span className="block-head">
        <KindIcon kind={kind} size={22} />
        <span className="block-id">{id || '?'}</span>
        <Count count={countAt(id)} />
        <Walked state={walk?.stateOf(id)} />
      </span>
      <span className="block-says">
        <span className="block-kind">{known === 'unknown' && type ? type : words.kinds[known]}</span>
        {says && ` · ${says}`}
      </span>
    </>,
  );
};
