import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconPhoto } from '@tabler/icons-react';
import { unreachable } from '../../../../shared/unreachable.ts';
import { blockKind } from '../../../parts/kinds/block-kinds.ts';
import { KindIcon } from '../../../parts/kinds/kind-icon.tsx';
import { Status } from '../../../parts/status.tsx';
import { useDrawing } from './drawing-context.ts';
import { faceOf, type FacePart, type Problems } from './face.ts';
import type { DrawnBlock } from './read-flow.ts';
import { sayBlock, text } from './say-block.ts';
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

const changeTones = { added: 'good', removed: 'bad', changed: 'waiting' } as const;

/** What has become of a block since another version. */
const Changed = ({ change }: { change: keyof typeof changeTones | undefined }) =>
  change && <Status tone={changeTones[change]}>{words.changes[change]}</Status>;

const Troubles = ({ problems: { errors, warnings } }: { problems: Problems }) => {
  const label = errors > 0 ? words.problems.error(errors) : words.problems.warning(warnings);
  return (
    <span
      className="block-problems"
      data-tone={errors > 0 ? 'bad' : 'waiting'}
      role="img"
      aria-label={label}
      title={label}
    >
      <IconAlertTriangle size={14} aria-hidden />
      {errors + warnings}
    </span>
  );
};

/** The title of a block: its name, where it has one. */
export const titleOf = ({ id, raw }: Pick<DrawnBlock, 'id' | 'raw'>): string => text(raw['name']).trim() || id || '?';

type Props = { block: DrawnBlock; problems?: Problems | undefined };

/** A block as contacts see it: its kind, its title, and what it says or does. Of plain elements, for there may be hundreds. */
export const BlockFace = ({ block, problems }: Props) =>
  useDrawing().wrapFace(block.id, <FaceOf block={block} problems={problems} />);

/** The same without what it stands in. */
export const FaceOf = ({ block, problems }: Props) => {
  const { countAt, walk, changeOf } = useDrawing();
  const { id, type } = block;
  const { type: known, kind } = blockKind(type);
  const { parts } = faceOf(block);
  const title = titleOf(block);
  const kindName = known === 'unknown' && type ? type : words.kinds[known];
  return (
    <>
      <span className="block-head" data-hue={kind.hue}>
        <KindIcon kind={kind} size={24} />
        <span className="block-titles">
          <span className="block-id" title={title === id ? undefined : id}>
            {title}
          </span>
          <span className="block-kind">{kindName}</span>
        </span>
        {problems && <Troubles problems={problems} />}
        <Count count={countAt(id)} />
        <Walked state={walk?.stateOf(id)} />
        <Changed change={changeOf?.(id)} />
      </span>
      {parts.map((part, index) => (
        // Parts have no names, and their order is that of the definition.
        // eslint-disable-next-line react/no-array-index-key
        <Part key={index} part={part} block={block} />
      ))}
      {parts.length > 0 && <span className="face-foot" />}
    </>
  );
};

const Part = ({ part, block }: { part: FacePart; block: DrawnBlock }) => {
  const { nameOf } = useDrawing();
  switch (part.type) {
    case 'message':
      return (
        <span className="face-message" data-lines={part.lines}>
          <span>{part.text}</span>
        </span>
      );
    case 'picture':
      return (
        <span className="face-note">
          <IconPhoto size={14} aria-hidden /> {words.picture}
        </span>
      );
    case 'does':
      return <span className="face-note">{sayBlock(block.type, block.raw, { flow: nameOf }) || words.noText}</span>;
    case 'choice':
    case 'rule':
    case 'note':
      return <span className={`face-${part.type}`}>{part.text}</span>;
    default:
      return unreachable(part);
  }
};
