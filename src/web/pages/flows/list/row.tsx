import { IconDots, IconPlus } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { startId } from '../builder/builder-context.ts';
import { Count, FaceOf, titleOf } from '../drawing/block-face.tsx';
import { BlockNumbers } from '../drawing/block-numbers.tsx';
import { useDrawing } from '../drawing/drawing-context.ts';
import { sayPort, type Problems } from '../drawing/face.ts';
import { startPort } from '../drawing/port-rows.tsx';
import type { DrawnBlock } from '../drawing/read-flow.ts';
import { words as drawingWords } from '../drawing/words.ts';
import { NameField } from './name-field.tsx';
import { words } from './words.ts';

type Shared = {
  /** What names it. */
  id: string;
  /** Whether Tab stops here: at one block of the list. */
  isCurrent: boolean;
  isSelected: boolean;
};

type RowProps = Shared & {
  block: DrawnBlock;
  problems: Problems | undefined;
  /** Where each of its ways leads, in words; a line each, so that a row is rendered only when it shows something else. */
  targets: string;
  isRenaming: boolean;
  endRename: () => void;
};

/** A block of the list. What its buttons do is found by their attributes. */
export const Row = memo(({ block, problems, targets, isRenaming, endRename, ...shared }: RowProps) => {
  const { walk } = useDrawing();
  const lines = targets.split('\n');
  return (
    <Item {...shared} title={titleOf(block)} walked={walk?.stateOf(block.id)} hasErrors={(problems?.errors ?? 0) > 0}>
      {isRenaming && <NameField id={shared.id} block={block} end={endRename} />}
      <Face {...shared}>
        <FaceOf block={block} problems={problems} />
      </Face>
      <Ways isCurrent={shared.isCurrent}>
        {block.ways.map((way, index) => (
          <Way
            key={way.port}
            port={way.port}
            name={sayPort(block, way.port)}
            target={lines[index] ?? ''}
            end={'to' in way ? undefined : 'end' in way ? way.end : 'missing'}
            isTaken={walk?.took(block.id, [way.port]) === true}
            isCurrent={shared.isCurrent}
          />
        ))}
      </Ways>
      <BlockNumbers blockId={block.id} />
    </Item>
  );
});
Row.displayName = 'Row';

type StartProps = Omit<Shared, 'id'> & { lines: readonly string[]; target: string; isOpen: boolean };

/** What starts the flow, above its blocks. */
export const StartRow = ({ lines, target, isOpen, ...rest }: StartProps) => {
  const { countAt } = useDrawing();
  const shared = { ...rest, id: startId };
  return (
    <Item {...shared} title={drawingWords.start}>
      <Face {...shared}>
        <span className="block-head">
          <span className="block-id">{drawingWords.start}</span>
          <Count count={countAt(null)} />
        </span>
        {lines.map((line) => (
          <span key={line} className="start-line">
            {line}
          </span>
        ))}
      </Face>
      <Ways isCurrent={rest.isCurrent}>
        <Way port={startPort} name={drawingWords.next} target={target} end={isOpen ? 'open' : undefined} {...rest} />
      </Ways>
    </Item>
  );
};

type ItemProps = Shared & {
  title: string;
  walked?: string | undefined;
  hasErrors?: boolean;
  children: ReactNode;
};

const Item = ({ id, title, isCurrent, isSelected, walked, hasErrors, children }: ItemProps) => (
  <li
    className="listed-block built-row"
    data-ref={id}
    data-is-selected={isSelected}
    data-walked={walked}
    data-has-errors={hasErrors}
  >
    {children}
    <span className="built-tools">
      <button
        type="button"
        data-act="add"
        tabIndex={isCurrent ? 0 : -1}
        aria-label={words.addTo(title)}
        title={words.add}
      >
        <IconPlus size={16} aria-hidden />
      </button>
      <button
        type="button"
        data-act="more"
        tabIndex={isCurrent ? 0 : -1}
        aria-label={words.more(title)}
        aria-haspopup="dialog"
      >
        <IconDots size={16} aria-hidden />
      </button>
    </span>
  </li>
);

const Face = ({ isCurrent, isSelected, children }: Omit<Shared, 'id'> & { children: ReactNode }) => (
  <button type="button" className="block-face" data-act="open" tabIndex={isCurrent ? 0 : -1} aria-current={isSelected}>
    {children}
  </button>
);

const Ways = ({ children }: { isCurrent: boolean; children: ReactNode }) => (
  <span className="built-ways">{children}</span>
);

type WayProps = {
  port: string;
  name: string;
  target: string;
  end: string | undefined;
  isTaken?: boolean;
  isCurrent: boolean;
};

/** Where a port leads; choosing it chooses another target. */
const Way = ({ port, name, target, end, isTaken, isCurrent }: WayProps) => (
  <button
    type="button"
    className="built-way"
    data-act="way"
    data-port={port}
    data-end={end}
    data-is-taken={isTaken}
    tabIndex={isCurrent ? 0 : -1}
    aria-haspopup="dialog"
  >
    <span>{name}</span> → <span className="built-target">{target}</span>
  </button>
);
