import { useRef, useState, type KeyboardEvent } from 'react';
import { listRows, openAtFirst, partsShown, type TreeRow, type TreeState } from './tree-rows.ts';
import { showValue } from './show-value.ts';
import { words } from './words.ts';

type ValueRow = Extract<TreeRow, { kind: 'value' }>;

type Props = {
  label: string;
  document: unknown;
  /** The fields that a value goes into already. */
  fieldsOf: (parts: ValueRow['parts']) => readonly string[];
  choose: (parts: ValueRow['parts'], value: unknown) => void;
};

/** JSON as a tree: the arrow keys go through it, Enter or a click chooses a value. What is closed is not drawn. */
export const JsonTree = ({ label, document, fieldsOf, choose }: Props) => {
  const [state, setState] = useState<TreeState>(() => ({ open: openAtFirst(document), shown: new Map() }));
  const [active, setActive] = useState('[]');
  const tree = useRef<HTMLDivElement>(null);
  const rows = listRows(document, state);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === active),
  );

  const toggle = (id: string, isOpen: boolean): void =>
    setState(({ open, shown }) => {
      const next = new Set(open);
      if (isOpen) next.add(id);
      else next.delete(id);
      return { open: next, shown };
    });
  const showMore = (of: string): void =>
    setState(({ open, shown }) => ({
      open,
      shown: new Map(shown).set(of, (shown.get(of) ?? partsShown) + partsShown),
    }));
  const goTo = (index: number): void => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    setActive(row.id);
    tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[rows.indexOf(row)]?.focus();
  };
  const act = (row: TreeRow): void => {
    setActive(row.id);
    if (row.kind === 'more') showMore(row.of);
    else choose(row.parts, row.value);
  };
  const parentOf = ({ depth }: TreeRow): number => rows.slice(0, at).findLastIndex((row) => row.depth < depth);

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const isOpen = row.kind === 'value' ? row.isOpen : undefined;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(at + 1),
      ArrowUp: () => goTo(at - 1),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      ArrowRight: () => (isOpen === false ? toggle(row.id, true) : isOpen ? goTo(at + 1) : undefined),
      ArrowLeft: () => (isOpen ? toggle(row.id, false) : goTo(parentOf(row))),
      Enter: () => act(row),
      ' ': () => act(row),
    };
    const done = keys[event.key];
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
    done();
  };

  return (
    <div ref={tree} className="json-tree" role="tree" aria-label={label}>
      {rows.map((row, index) => (
        <div
          key={row.id}
          role="treeitem"
          className="json-row"
          tabIndex={index === at ? 0 : -1}
          aria-level={row.depth + 1}
          aria-expanded={row.kind === 'value' ? row.isOpen : undefined}
          // Of a deep answer the end of each line stays in sight.
          style={{ paddingInlineStart: 6 + Math.min(row.depth, 12) * 14 }}
          onFocus={() => setActive(row.id)}
          onClick={() => act(row)}
          onKeyDown={onKeyDown}
        >
          {row.kind === 'more' ? (
            <span className="json-more">{words.test.more(row.left)}</span>
          ) : (
            <ValueLine row={row} fields={fieldsOf(row.parts)} toggle={() => toggle(row.id, row.isOpen === false)} />
          )}
        </div>
      ))}
    </div>
  );
};

const ValueLine = ({ row, fields, toggle }: { row: ValueRow; fields: readonly string[]; toggle: () => void }) => (
  <>
    <span
      className="json-toggle"
      data-open={row.isOpen}
      aria-hidden
      onClick={(event) => {
        if (row.isOpen === undefined) return;
        event.stopPropagation();
        toggle();
      }}
    />
    {row.name !== undefined && <span className="json-key">{row.name}: </span>}
    <span className="json-of" data-type={row.value === null ? 'null' : typeof row.value}>
      {showValue(row.value)}
    </span>
    {fields.map((field) => (
      <span key={field} className="status json-field" data-tone="good">
        {words.test.mappedTo(field)}
      </span>
    ))}
  </>
);
