import { useCallback, useRef, useState, type RefObject } from 'react';
import { startId } from '../builder/builder-context.ts';
import { titleOf } from '../drawing/block-face.tsx';
import { sayPort } from '../drawing/face.ts';
import { sayEnd, startPort } from '../drawing/port-rows.tsx';
import { refOf } from '../drawing/read-flow.ts';
import type { Origin } from '../edits/connect.ts';
import { isId } from '../edits/refs.ts';
import type { Actions, Now } from './actions.ts';
import { Chooser, type Option } from './chooser.tsx';
import { paletteOptions } from './palette.tsx';
import { words } from './words.ts';

type Point = { x: number; y: number };

type Adding = { after?: Origin | undefined; before?: string | undefined; place?: Point | undefined };

export type Menu = { label: string; options: readonly Option[]; at: Point; choose: (value: string) => void };

type Deps = {
  /** What the lists stand in. */
  canvas: RefObject<HTMLDivElement | null>;
  now: () => Now;
  actions: Actions;
  focus: (id: string | undefined) => void;
  /** Where a list of a block opens, from the corner of the window. */
  placeBeside: (ref: string) => Point;
};

/** The values of the target list that are no ids: ids have no such letters. */
const targets = { fresh: '@new', end: '@end', none: '@none' } as const;

/** The lists that the canvas opens at a place: the palette, and what a wire is to connect. */
export const useMenus = ({ canvas, now, actions, focus, placeBeside }: Deps) => {
  const [menu, showMenu] = useState<Menu>();
  const opener = useRef<Element>(null);

  const setMenu = useCallback((next: Menu | undefined): void => {
    const { activeElement } = document;
    if (next && !activeElement?.closest('.chooser')) opener.current = activeElement;
    showMenu(next);
  }, []);

  /** Gives the focus to the button that has opened a list; where it is gone, to a block. */
  const giveBack = useCallback(
    (ref: string | undefined): void => {
      const { current } = opener;
      if (current instanceof HTMLButtonElement && current.isConnected) current.focus();
      else focus(ref);
    },
    [focus],
  );

  /** A point of the window, from the corner of the canvas. */
  const within = useCallback(
    ({ x, y }: Point): Point => {
      const box = canvas.current?.getBoundingClientRect();
      return { x: x - (box?.left ?? 0), y: y - (box?.top ?? 0) };
    },
    [canvas],
  );

  const beside = useCallback((ref: string): Point => within(placeBeside(ref)), [within, placeBeside]);

  /** Opens the palette. `place`: where the block is to stand; beside the port where there is none. */
  const openPalette = useCallback(
    (at: Point, { after, before, place }: Adding): void => {
      setMenu({
        label: words.palette,
        options: paletteOptions(),
        at,
        choose: (type) => {
          setMenu(undefined);
          actions.add(type, { after, before, at: place });
        },
      });
    },
    [actions, setMenu],
  );

  const addBefore = useCallback(
    (ref: string): void => openPalette(beside(ref), { before: ref }),
    [openPalette, beside],
  );

  const addAfter = useCallback(
    (blockId: string): void => openPalette(beside(blockId), { after: actions.afterBlock(blockId) }),
    [openPalette, beside, actions],
  );

  const chooseTarget = useCallback(
    (origin: Origin, at: Point): void => {
      const { flow } = now();
      const isStart = origin.from === undefined;
      const blocks = flow.blocks.flatMap((block): Option[] =>
        isId(refOf(block)) && block.id !== origin.from
          ? [{ value: block.id, label: titleOf(block), hint: titleOf(block) === block.id ? undefined : block.id }]
          : [],
      );
      const others: Option[] = [
        { value: targets.fresh, label: words.newBlock },
        ...(isStart
          ? []
          : [
              { value: targets.end, label: words.endRun },
              { value: targets.none, label: words.leaveOpen },
            ]),
      ];
      setMenu({
        label: words.chooseTarget(isStart ? words.start : origin.port),
        options: [...blocks, ...others],
        at,
        choose: (value) => {
          setMenu(undefined);
          if (value === targets.fresh) {
            openPalette(at, { after: origin });
            return;
          }
          actions.wire(origin, value === targets.end ? null : value === targets.none ? undefined : value);
          giveBack(origin.from ?? startId);
        },
      });
    },
    [now, actions, giveBack, openPalette, setMenu],
  );

  /** Asks for the port of a block where it has several, then for its target. */
  const connectFrom = useCallback(
    (blockId: string): void => {
      const at = beside(blockId);
      if (blockId === startId) {
        chooseTarget({ from: undefined, port: startPort }, at);
        return;
      }
      const block = actions.blockOf(blockId);
      const [only, ...more] = block?.ways ?? [];
      if (!block || !only) return;
      if (more.length === 0) {
        chooseTarget({ from: blockId, port: only.port }, at);
        return;
      }
      const { flow } = now();
      const titles = new Map(flow.blocks.map((other) => [other.key, titleOf(other)]));
      setMenu({
        label: words.choosePort(titleOf(block)),
        at,
        options: block.ways.map((way) => ({
          value: way.port,
          label: sayPort(block, way.port),
          hint: 'to' in way ? `→ ${titles.get(way.to) ?? ''}` : sayEnd(way),
        })),
        choose: (port) => chooseTarget({ from: blockId, port }, at),
      });
    },
    [actions, beside, chooseTarget, now, setMenu],
  );

  const close = (how: 'key' | 'blur'): void => {
    // Another list may be open already.
    showMenu((open) => (open === menu ? undefined : open));
    const { selected } = now().builder;
    if (how === 'key') giveBack(selected[0]);
  };
  const shown = menu && (
    <Chooser
      key={menu.label}
      label={menu.label}
      options={menu.options}
      at={menu.at}
      onChoose={menu.choose}
      onClose={close}
    />
  );
  return { shown, within, beside, setMenu, giveBack, openPalette, addAfter, addBefore, connectFrom, chooseTarget };
};
