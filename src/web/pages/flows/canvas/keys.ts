import type { KeyboardEvent } from 'react';
import { startId, type Builder } from '../builder/builder-context.ts';
import { sayPort } from '../drawing/face.ts';
import { sayEnd } from '../drawing/port-rows.tsx';
import { keyOf, refOf, type DrawnFlow } from '../drawing/read-flow.ts';
import { startKey } from '../drawing/use-places.ts';
import { words as drawingWords } from '../drawing/words.ts';
import { blockKind } from '../../../parts/kinds/block-kinds.ts';
import type { Actions, Now } from './actions.ts';
import { follow, isDirection, type Direction } from './way.ts';
import { words } from './words.ts';

type Deps = {
  now: () => Now;
  actions: Actions;
  say: (text: string) => void;
  focus: (blockId: string | undefined) => void;
  /** Opens the palette beside a block, for its main port. */
  addAfter: (blockId: string) => void;
  /** Begins to connect a block: asks for the port, then for the target. */
  connectFrom: (blockId: string) => void;
  removeWire: () => boolean;
  zoom: (by: 'in' | 'out' | 'fit' | 'beginning') => void;
  search: () => void;
  help: () => void;
};

/** How far Alt and an arrow move a block, in px; with Shift farther. */
const steps = { near: 20, far: 100 } as const;

const by: Readonly<Record<Direction, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The block that has the focus, else the first that is selected. */
const currentOf = ({ selected }: Builder): string | undefined => {
  const key = document.activeElement?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
  return key === undefined ? selected[0] : refOf({ key });
};

/** What a block is, and where it leads, for who does not see it. */
const describe = ({ blocks, triggers }: DrawnFlow, id: string, title: string): string => {
  if (id === startId) return words.said.at(words.start, `${triggers.length}`, '');
  const block = blocks.find(({ key }) => key === keyOf(id));
  if (!block) return title;
  const titles = new Map(blocks.map(({ key, id: other }) => [key, other]));
  const ways = block.ways.map(
    (way) => `${sayPort(block, way.port)} → ${'to' in way ? titles.get(way.to) : sayEnd(way)}`,
  );
  return words.said.at(title, drawingWords.kinds[blockKind(block.type).type], ways.join(', '));
};

/** What keys do on the canvas. */
export const createKeys = (deps: Deps) => {
  const { now, actions, say, focus } = deps;
  const cameFrom = new Map<string, string>();

  const walk = (direction: Direction): void => {
    const { builder, flow, nodes } = now();
    const current = currentOf(builder);
    const keys = new Map(nodes.map(({ id, position, width = 0, height = 0 }) => [id, { ...position, width, height }]));
    const from = current === undefined ? undefined : keyOf(current);
    const to = nextOf(flow, keys, from, direction);
    if (to === undefined) {
      say(words.said.noWay);
      return;
    }
    if (from !== undefined && direction === 'ArrowRight') cameFrom.set(to, from);
    const id = refOf({ key: to });
    builder.select([id]);
    focus(id);
    say(describe(flow, id, actions.title(id)));
  };

  const nextOf = (
    flow: DrawnFlow,
    boxes: Parameters<typeof follow>[1],
    from: string | undefined,
    direction: Direction,
  ): string | undefined => {
    if (from === undefined) return startKey;
    if (from === startKey && direction === 'ArrowRight') return flow.start;
    const to = follow(flow, boxes, { from, direction, cameFrom: cameFrom.get(from) });
    return to ?? (direction === 'ArrowLeft' && from === flow.start ? startKey : undefined);
  };

  const withCtrl: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    z: ({ shiftKey }) => actions.step(shiftKey ? 'redo' : 'undo'),
    y: () => actions.step('redo'),
    f: () => deps.search(),
    a: () => {
      const ids = now().flow.blocks.map(refOf);
      now().builder.select(ids);
      focus(undefined);
      say(words.said.selected(ids.length));
    },
    d: () => actions.duplicate(now().builder.selected),
  };

  const remove = (): void => {
    const { builder } = now();
    if (deps.removeWire()) return;
    const current = currentOf(builder);
    actions.remove(builder.selected.length > 0 ? builder.selected : current === undefined ? [] : [current]);
  };

  const leave = (): void => {
    const { builder } = now();
    builder.select([]);
    focus(undefined);
  };

  const plain: Readonly<Record<string, () => void>> = {
    Delete: remove,
    Backspace: remove,
    Escape: leave,
    Home: () => deps.zoom('beginning'),
    '0': () => deps.zoom('fit'),
    '+': () => deps.zoom('in'),
    '=': () => deps.zoom('in'),
    '-': () => deps.zoom('out'),
    '?': () => deps.help(),
    // Space is held to pan, and presses no block.
    ' ': () => undefined,
  };

  /** What is done with the block that has the focus, or is selected. */
  const withBlock: Readonly<Record<string, (id: string) => void>> = {
    Tab: deps.addAfter,
    c: deps.connectFrom,
    Enter: (id) => now().builder.open(id),
  };

  return (event: KeyboardEvent): void => {
    const { key, altKey, shiftKey } = event;
    if (event.target instanceof HTMLElement && event.target.matches('input, textarea, button, a')) return;
    const { builder } = now();
    const does = ((): (() => void) | undefined => {
      if (event.ctrlKey || event.metaKey) {
        const found = withCtrl[key.toLowerCase()];
        return found && (() => found(event));
      }
      if (isDirection(key) && altKey) {
        const [x, y] = by[key];
        const far = shiftKey ? steps.far : steps.near;
        return () => actions.nudge(builder.selected, { x: x * far, y: y * far });
      }
      if (altKey) return undefined;
      if (isDirection(key)) return () => walk(key);
      const current = currentOf(builder);
      const act = withBlock[key.length === 1 ? key.toLowerCase() : key];
      const isInside = key !== 'Tab' || (document.activeElement?.closest('.react-flow__node') && !shiftKey);
      if (act && current !== undefined && isInside) return () => act(current);
      return plain[key];
    })();
    if (!does) return;
    event.preventDefault();
    event.stopPropagation();
    does();
  };
};
