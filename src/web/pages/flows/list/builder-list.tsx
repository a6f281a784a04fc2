import '../drawing/drawing.css';
import '../canvas/canvas.css';
import './list.css';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconHelp, IconSearch } from '@tabler/icons-react';
import { useCallback, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useActing } from '../builder/acting-context.ts';
import { startId, useBuilder } from '../builder/builder-context.ts';
import type { Staged } from '../builder/stage.tsx';
import { Help } from '../canvas/help.tsx';
import { SearchBar } from '../canvas/search-bar.tsx';
import { useMenus } from '../canvas/use-menus.tsx';
import { useProblems } from '../canvas/use-problems.ts';
import { titleOf } from '../drawing/block-face.tsx';
import { startLines } from '../drawing/draw.ts';
import { sayEnd, startPort } from '../drawing/port-rows.tsx';
import { refOf } from '../drawing/read-flow.ts';
import { words as drawingWords } from '../drawing/words.ts';
import { hold } from '../canvas/hold.ts';
import { createActs, findAct, optionsOf } from './acts.ts';
import { createListKeys } from './keys.ts';
import { Row, StartRow } from './row.tsx';
import { useListFocus } from './use-list-focus.ts';
import { words } from './words.ts';

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.built-row') : null;

/** The draft as it is built in a list: each block with what it says, where it leads, and what can be done with it. */
export const BuilderList = ({ flow }: Pick<Staged, 'flow'>) => {
  const { selected, issues, definition } = useBuilder();
  const acting = useActing();
  const { now, actions, focus } = acting;
  const box = useRef<HTMLDivElement>(null);
  const [renaming, setRenaming] = useState<string>();
  const [isSearching, setSearching] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const { current, setCurrent } = useListFocus(box, selected[0]);
  const problemsOf = useProblems(issues, definition);
  const placeBeside = useCallback((ref: string) => {
    const { activeElement } = document;
    const row = box.current?.querySelector(`[data-ref="${CSS.escape(ref)}"]`);
    const from = activeElement && row?.contains(activeElement) ? activeElement : row;
    const { left = 0, bottom = 0 } = from?.getBoundingClientRect() ?? {};
    return { x: left, y: bottom + 4 };
  }, []);
  const menus = useMenus({ canvas: box, now, actions, focus, placeBeside });
  const [latest] = useState(() => hold(menus));
  latest.set(menus);
  const acts = useMemo(() => createActs({ acting, menus: latest.get, startRename: setRenaming }), [acting, latest]);
  const keys = useMemo(
    () => createListKeys({ acting, acts, search: () => setSearching(true), help: () => setHelping(true) }),
    [acting, acts],
  );

  const { blocks, start } = flow;
  const titles = useMemo(() => new Map(blocks.map((block) => [block.key, titleOf(block)] as const)), [blocks]);
  const lines = useMemo(() => startLines(flow, drawingWords.more), [flow]);
  const refs = blocks.map(refOf);
  // A block that is gone has no place for Tab to stop at.
  const stop = refs.includes(current) ? current : startId;

  const press = (event: KeyboardEvent): void => {
    const row = rowOf(event.target);
    const ref = row?.dataset['ref'];
    if (ref === undefined || (event.target instanceof HTMLElement && event.target.matches('input'))) return;
    if (!keys(event, ref)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const click = (event: MouseEvent): void => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-act]') : null;
    const ref = rowOf(button)?.dataset['ref'];
    if (!button || ref === undefined) return;
    const { act, port } = button.dataset;
    setCurrent(ref);
    // A pointer leaves the focus where it is, so that no keyboard covers a small screen.
    if (act === 'open' && event.detail > 0) now().builder.select([ref]);
    else if (act === 'open') acts.open(ref);
    else if (act === 'add') acts.addAfter(ref);
    else if (act === 'way')
      menus.chooseTarget({ from: ref === startId ? undefined : ref, port: port ?? startPort }, menus.beside(ref));
    else
      menus.setMenu({
        label: ref === startId ? drawingWords.start : actions.title(ref),
        options: optionsOf(ref),
        at: menus.beside(ref),
        choose: (chosen) => {
          menus.setMenu(undefined);
          menus.giveBack(ref);
          const chosenAct = findAct(chosen);
          if (chosenAct) acts[chosenAct](ref);
        },
      });
  };
  const showFound = useCallback((key: string | undefined): void => {
    for (const row of box.current?.querySelectorAll<HTMLElement>('.built-row') ?? []) {
      const isFound = key !== undefined && row.dataset['ref'] === refOf({ key });
      row.classList.toggle('found', isFound);
      if (isFound) row.scrollIntoView({ block: 'nearest' });
    }
  }, []);
  const endSearch = (): void => {
    const found = box.current?.querySelector<HTMLElement>('.built-row.found')?.dataset['ref'];
    showFound(undefined);
    setSearching(false);
    focus(found);
  };

  return (
    <div ref={box} className="list-view">
      <div className="list-head">
        <Tool label={words.tools.search} icon={IconSearch} onClick={() => setSearching(true)} />
        <Tool label={words.tools.help} icon={IconHelp} onClick={() => setHelping(true)} />
      </div>
      {/* The keys and clicks are those of the buttons inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */}
      <ol className="list-rows fill-scroll" aria-label={words.label} onKeyDown={press} onClick={click}>
        <StartRow
          lines={lines}
          target={start === undefined ? drawingWords.ends.open : (titles.get(start) ?? '')}
          isOpen={start === undefined}
          isCurrent={stop === startId}
          isSelected={selected.includes(startId)}
        />
        {blocks.map((block, index) => {
          const id = refs[index] ?? '';
          return (
            <Row
              key={block.key}
              id={id}
              block={block}
              problems={problemsOf(id)}
              targets={block.ways.map((way) => ('to' in way ? titles.get(way.to) : sayEnd(way))).join('\n')}
              isCurrent={stop === id}
              isSelected={selected.includes(id)}
              isRenaming={renaming === id}
              endRename={() => setRenaming(undefined)}
            />
          );
        })}
      </ol>
      {isSearching && <SearchBar blocks={blocks} show={showFound} close={endSearch} />}
      {menus.shown}
      {isHelping && <Help title={words.help.title} keys={words.help.keys} close={() => setHelping(false)} />}
    </div>
  );
};

const Tool = ({ label, icon: Shown, onClick }: { label: string; icon: typeof IconHelp; onClick: () => void }) => (
  <Tooltip label={label}>
    <ActionIcon variant="default" size="lg" aria-label={label} onClick={onClick}>
      <Shown size={18} aria-hidden />
    </ActionIcon>
  </Tooltip>
);
