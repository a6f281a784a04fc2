import { useCallback, useState, type RefObject } from 'react';
import { startId } from '../builder/builder-context.ts';
import { titleOf } from '../drawing/block-face.tsx';
import { sayPort } from '../drawing/face.ts';
import { sayEnd, startPort } from '../drawing/port-rows.tsx';
import { keyOf, refOf } from '../drawing/read-flow.ts';
import type { Origin } from '../edits/connect.ts';
import { isId } from '../edits/refs.ts';
import type { Actions, Now } from './actions.ts';
import { Chooser, type Option } from './chooser.tsx';
import { paletteOptions } from './palette.tsx';
import { words } from './words.ts';

type Point = { x: number; y: number };

type Menu = { label: string; options: readonly Option[]; at: Point; choose: (value: string) => void };

type Deps = {
  canvas: RefObject<HTMLDivElement | null>;
  now: () => Now;
  actions: Actions;
  focus: (id: string | undefined) => void;
};

/** The values of the target list that are no ids: ids have no such letters. */
const targets = { fresh: '@new', end: '@end', none: '@none' } as const;

/** The lists that the canvas opens at a place: the palette, and what a wire is to connect. */
export const useMenus = ({ canvas, now, actions, focus }: Deps) => {
  const [menu, setMenu] = useState<Menu>();

  /** A point of the window, from the corner of the canvas. */
  const within = useCallback(
    ({ x, y }: Point): Point => {
      const box = canvas.current?.getBoundingClientRect();
      return { x: x - (box?.left ?? 0), y: y - (box?.top ?? 0) };
    },
    [canvas],
  );

  const beside = useCallback(
    (blockId: string): Point => {
      const key = CSS.escape(keyOf(blockId));
      const box = canvas.current?.querySelector(`.react-flow__node[data-id="${key}"]`)?.getBoundingClientRect();
      return within({ x: (box?.right ?? 0) + 12, y: box?.top ?? 0 });
    },
    [canvas, within],
  );

  /** Opens the palette. `place`: where the block is to stand; beside the port where there is none. */
  const openPalette = useCallback(
    (at: Point, { after, place }: { after?: Origin | undefined; place?: Point | undefined }): void => {
      setMenu({
        label: words.palette,
        options: paletteOptions(),
        at,
        choose: (type) => {
          setMenu(undefined);
          actions.add(type, { after, at: place });
        },
      });
    },
    [actions],
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
          focus(origin.from ?? startId);
        },
      });
    },
    [now, actions, focus, openPalette],
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
    [actions, beside, chooseTarget, now],
  );

  const close = (how: 'key' | 'blur'): void => {
    // Another list may be open already.
    setMenu((open) => (open === menu ? undefined : open));
    const { selected } = now().builder;
    if (how === 'key') focus(selected[0]);
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
  return { shown, within, openPalette, addAfter, connectFrom, chooseTarget };
};
