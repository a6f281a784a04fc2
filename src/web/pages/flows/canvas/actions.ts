import { blockKind } from '../../../parts/kinds/block-kinds.ts';
import { startId, type Builder } from '../builder/builder-context.ts';
import { titleOf } from '../drawing/block-face.tsx';
import { faceOf } from '../drawing/face.ts';
import type { AnyNode, BlockNode } from '../drawing/nodes.tsx';
import { startPort } from '../drawing/port-rows.tsx';
import { keyOf, refOf, type DrawnBlock, type DrawnFlow } from '../drawing/read-flow.ts';
import { startKey } from '../drawing/use-places.ts';
import { words as drawingWords } from '../drawing/words.ts';
import { addBefore, addBlock, exitOfOrigin, hasRoom, insertBlock } from '../edits/add.ts';
import { connect, disconnect, type Origin } from '../edits/connect.ts';
import { copyBlocks, pasteBlocks, type Copied } from '../edits/copy.ts';
import { freshId } from '../edits/ids.ts';
import { moveBlocks, type Places } from '../edits/move.ts';
import { newBlock } from '../edits/new-block.ts';
import { idsOf } from '../edits/order.ts';
import { mainPortOf } from '../edits/ports.ts';
import { isId } from '../edits/refs.ts';
import { removeBlocks } from '../edits/remove.ts';
import { createListActions } from './list-actions.ts';
import { keepRecent } from './palette.tsx';
import { placeAfter, type Box } from './room.ts';
import { words } from './words.ts';

/** What the canvas shows at a moment. */
export type Now = { builder: Builder; flow: DrawnFlow; nodes: readonly AnyNode[] };

type Deps = {
  now: () => Now;
  /** Tells a step to screen readers. */
  say: (text: string) => void;
  /** Gives a block the focus as soon as it is drawn, and moves the canvas so that it is seen. */
  focus: (blockId: string | undefined) => void;
  nameOf: (flowId: string) => string | undefined;
};

type Point = { x: number; y: number };

type Adding = { after?: Origin | undefined; before?: string | undefined; at?: Point | undefined };

const isBlock = (node: AnyNode): node is BlockNode => node.type === 'block';

/** Where the blocks stand, by their ids; one without an id of its own cannot be placed. */
const boxesOf = (nodes: readonly AnyNode[]): Box[] =>
  nodes
    .filter(isBlock)
    .flatMap(({ data: { block }, position, width = 0, height = 0 }) =>
      isId(refOf(block)) ? [{ id: block.id, ...position, width, height }] : [],
    );

const placesOf = (boxes: readonly Box[]): Places => new Map(boxes.map(({ id, x, y }) => [id, { x, y }]));

/** Everything that the canvas does with a draft. Each is one step of undo, and screen readers hear of it. */
export const createActions = ({ now, say, focus, nameOf }: Deps) => {
  const blockOf = (ref: string): DrawnBlock | undefined => now().flow.blocks.find(({ key }) => key === keyOf(ref));
  const title = (ref: string): string => {
    const block = blockOf(ref);
    return block ? titleOf(block) : ref;
  };
  /** As steps tell a block: operators know its id. */
  const told = (ref: string): string => (isId(ref) ? ref : title(ref));
  /** Tells that a block has no id of its own, where that keeps it from being done. */
  const lacksId = (refs: readonly string[]): boolean => {
    const isLacking = refs.length > 0 && refs.every((ref) => !isId(ref));
    if (isLacking) say(words.said.noId);
    return isLacking;
  };

  /** Adds a block of this type: after a port, before a block, or at a place. */
  const add = (type: string, { after, before, at }: Adding): void => {
    const { builder, nodes } = now();
    if (before !== undefined && lacksId([before])) return;
    if (!hasRoom(builder.definition)) {
      say(words.said.full);
      return;
    }
    keepRecent(type);
    const id = freshId(type, idsOf(builder.definition));
    const boxes = boxesOf(nodes);
    const placed = new Map(placesOf(boxes));
    if (at) placed.set(id, at);
    else {
      const room = roomAfter(after ?? (before === undefined ? undefined : leadingTo(before)), boxes);
      for (const [moved, to] of room.moved) placed.set(moved, to);
      placed.set(id, room.at);
    }
    const kind = drawingWords.kinds[blockKind(type).type];
    builder.edit({ label: words.steps.add(kind) }, (definition) =>
      moveBlocks(
        before === undefined
          ? addBlock(definition, { block: newBlock(type, id), after })
          : addBefore(definition, { block: newBlock(type, id), before }),
        placed,
      ),
    );
    builder.select([id]);
    say(words.said.added(id));
    focus(id);
  };

  /** The first port that leads to a block. */
  const leadingTo = (ref: string): Origin | undefined => {
    const { flow } = now();
    const key = keyOf(ref);
    if (flow.start === key) return { from: undefined, port: startPort };
    for (const block of flow.blocks) {
      const way = block.ways.find((one) => 'to' in one && one.to === key);
      if (way) return { from: refOf(block), port: way.port };
    }
    return undefined;
  };

  const roomAfter = (after: Origin | undefined, boxes: readonly Box[]): { at: Point; moved: Places } => {
    const { nodes, builder } = now();
    const from = after && nodes.find(({ id }) => id === (after.from === undefined ? startKey : keyOf(after.from)));
    if (!after || !from) return { at: { x: 0, y: 0 }, moved: new Map() };
    const { position, width = 0, height = 0 } = from;
    const block = after.from === undefined ? undefined : blockOf(after.from);
    const exit = exitOfOrigin(builder.definition, after);
    return placeAfter(boxes, {
      from: { id: after.from ?? startId, ...position, width, height },
      portTop: (block && faceOf(block).portTops.get(after.port)) ?? 22,
      target: exit && 'to' in exit ? boxes.find(({ id }) => id === exit.to) : undefined,
    });
  };

  const remove = (refs: readonly string[], label = words.steps.remove(refs.length, told(refs[0] ?? ''))): void => {
    const { builder, flow } = now();
    const there = refs.filter((ref) => blockOf(ref));
    if (there.length === 0) return;
    const [first = ''] = there;
    const gone = new Set(there);
    const before = flow.blocks.find(
      ({ key, ways }) => !gone.has(refOf({ key })) && ways.some((way) => 'to' in way && way.to === keyOf(first)),
    );
    builder.edit({ label }, (definition) => removeBlocks(definition, gone));
    builder.select([]);
    say(words.said.removed(there.length));
    focus(before && refOf(before));
  };

  const wire = (origin: Origin, to: string | null | undefined): void => {
    const { builder } = now();
    if (typeof to === 'string' && lacksId([to])) return;
    const port = origin.from === undefined ? words.start : origin.port;
    if (to === undefined) {
      builder.edit({ label: words.steps.disconnect(port) }, (definition) => disconnect(definition, origin));
      say(words.said.disconnected(port));
      return;
    }
    const target = to === null ? words.endRun : title(to);
    const label = to === null ? words.steps.end(port) : words.steps.connect(port, target);
    builder.edit({ label }, (definition) => connect(definition, { ...origin, to }));
    say(words.said.connected(port, target));
  };

  /** Where blocks are after a gesture. All others keep their places, also those that were only laid out. */
  const move = (moved: Places, gesture?: string, named?: string): void => {
    const { builder, nodes } = now();
    const all = new Map([...placesOf(boxesOf(nodes)), ...moved]);
    const [first = ''] = moved.keys();
    const label = named ?? words.steps.move(moved.size, first);
    builder.edit({ label, ...(gesture !== undefined && { gesture }) }, (definition) => moveBlocks(definition, all));
  };

  /** Moves blocks by keys; presses in a row are one step. */
  const nudge = (ids: readonly string[], by: Point): void => {
    if (lacksId(ids)) return;
    const places = placesOf(boxesOf(now().nodes));
    const moved = ids.flatMap((id) => {
      const at = places.get(id);
      return at ? [[id, { x: at.x + by.x, y: at.y + by.y }] as const] : [];
    });
    const [first] = moved;
    if (!first) return;
    move(new Map(moved), `nudge ${ids.join(' ')}`);
    say(words.said.moved(Math.round(first[1].x), Math.round(first[1].y)));
  };

  const insert = (id: string, into: Origin, at: Point): void => {
    const { builder, nodes } = now();
    const places = new Map([...placesOf(boxesOf(nodes)), [id, at] as const]);
    builder.edit({ label: words.steps.insert(id) }, (definition) =>
      moveBlocks(insertBlock(definition, { id, into }), places),
    );
    say(words.said.connected(into.port, title(id)));
  };

  const copy = (ids: readonly string[]): Copied => {
    const { builder, nodes } = now();
    return copyBlocks(builder.definition, new Set(ids), { places: placesOf(boxesOf(nodes)), nameOf });
  };

  const paste = (copied: Copied, at: Point, label = words.steps.paste(copied.blocks.length)): void => {
    const { builder, nodes } = now();
    const { ids } = pasteBlocks(builder.definition, copied, { at });
    if (ids.length === 0) {
      say(words.paste.full);
      return;
    }
    const places = placesOf(boxesOf(nodes));
    builder.edit({ label }, (definition) => moveBlocks(pasteBlocks(definition, copied, { at }).definition, places));
    builder.select(ids);
    say(words.said.pasted(ids.length));
    focus(ids[0]);
  };

  const duplicate = (ids: readonly string[]): void => {
    if (lacksId(ids)) return;
    const chosen = boxesOf(now().nodes).filter(({ id }) => ids.includes(id));
    if (chosen.length === 0) return;
    const at = { x: Math.min(...chosen.map(({ x }) => x)) + 40, y: Math.min(...chosen.map(({ y }) => y)) + 40 };
    paste(copy(ids), at, words.steps.duplicate(chosen.length));
  };

  /** The port of a block by which one goes on after it. */
  const afterBlock = (ref: string): Origin | undefined => {
    if (ref === startId) return { from: undefined, port: startPort };
    const block = blockOf(ref);
    const port = block && (mainPortOf(block.raw) ?? block.ways.map((way) => ({ name: way.port }))[0]);
    return port && { from: ref, port: port.name };
  };

  return {
    ...createListActions({ now, say, focus, told }),
    add,
    remove,
    wire,
    move,
    nudge,
    insert,
    copy,
    paste,
    duplicate,
    afterBlock,
    blockOf,
    title,
    lacksId,
  };
};

export type Actions = ReturnType<typeof createActions>;
