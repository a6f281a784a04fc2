import type { NodeChange, OnNodeDrag } from '@xyflow/react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import { startId } from '../builder/builder-context.ts';
import type { AnyNode } from '../drawing/nodes.tsx';
import { keyOf, refOf } from '../drawing/read-flow.ts';
import { isId } from '../edits/refs.ts';
import type { Actions, Now } from './actions.ts';
import type { Moving } from './ground.tsx';
import { durationOf } from './sight.ts';
import { glide, glideMs, tidyPlaces } from './tidy.ts';
import { originOf } from './wire-layer.tsx';
import { words } from './words.ts';

type Deps = { now: () => Now; actions: Actions; say: (text: string) => void };

/** The wire under the pointer of a block that is dragged alone, and to which no wire leads yet. */
const wireUnder = (
  event: MouseEvent | TouchEvent | React.MouseEvent,
  key: string,
  { flow }: Now,
): Element | undefined => {
  if (!('clientX' in event)) return undefined;
  if (flow.start === key || flow.blocks.some(({ ways }) => ways.some((way) => 'to' in way && way.to === key)))
    return undefined;
  return (
    document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((element) => element.matches('.react-flow__edge-interaction'))
      ?.closest('.react-flow__edge') ?? undefined
  );
};

/** What a pointer selects and moves. The draft changes once, when the blocks are let go. */
export const useDragging = ({ now, actions, say }: Deps) => {
  const [moving] = useState(() => createStore<Moving>(() => undefined));
  const endGlide = useRef<() => void>(undefined);
  const marked = useRef<Element>(undefined);

  const change = useCallback(
    (changes: NodeChange<AnyNode>[]): void => {
      const moved = changes.flatMap((one) =>
        one.type === 'position' && one.position && one.dragging ? [[one.id, one.position] as const] : [],
      );
      if (moved.length > 0) {
        endGlide.current?.();
        moving.setState(new Map([...(moving.getState() ?? []), ...moved]), true);
      }
      const picked = changes.flatMap((one) => (one.type === 'select' ? [one] : []));
      if (picked.length === 0) return;
      const { builder } = now();
      const off = new Set(picked.flatMap((one) => (one.selected ? [] : [refOf({ key: one.id })])));
      const on = picked.flatMap((one) => (one.selected ? [refOf({ key: one.id })] : []));
      const next = [...new Set([...builder.selected.filter((id) => !off.has(id)), ...on])];
      // The start has a form, but cannot be selected beside blocks.
      builder.select(next.length > 1 ? next.filter((id) => id !== startId) : next);
    },
    [now, moving],
  );

  const mark = useCallback((wire: Element | undefined): void => {
    if (marked.current === wire) return;
    marked.current?.classList.remove('wire-hit');
    wire?.classList.add('wire-hit');
    marked.current = wire;
  }, []);

  const drag: OnNodeDrag<AnyNode> = useCallback(
    (event, node, moved) => mark(moved.length > 1 ? undefined : wireUnder(event, node.id, now())),
    [mark, now],
  );

  const stop = useCallback(
    (event: MouseEvent | TouchEvent | React.MouseEvent, node: AnyNode | undefined, moved: AnyNode[]): void => {
      const wire = node && moved.length === 1 ? wireUnder(event, node.id, now()) : undefined;
      mark(undefined);
      moving.setState(undefined, true);
      const dragged = moved.map(({ id, position }) => [refOf({ key: id }), position] as const);
      if (actions.lacksId(dragged.map(([ref]) => ref))) return;
      const places = dragged.filter(([ref]) => isId(ref));
      const [only] = places;
      if (!only) return;
      const edge = wire?.getAttribute('data-id')?.split(' ');
      const [source, port] = edge ?? [];
      const into = source !== undefined && port !== undefined ? originOf({ key: source, port }) : undefined;
      if (into) actions.insert(only[0], into, only[1]);
      else actions.move(new Map(places));
    },
    [actions, mark, moving, now],
  );

  /** Lays out all blocks, or the selected ones. `showAll` follows where all have moved. */
  const tidy = useCallback(
    async (showAll: () => void): Promise<void> => {
      const { flow, nodes, builder } = now();
      const only = new Set(builder.selected.length > 1 ? builder.selected.map(keyOf) : []);
      const to = await tidyPlaces(flow, nodes, only);
      const from = new Map(nodes.map(({ id, position }) => [id, position]));
      const places = [...to].flatMap(([key, at]) => (isId(refOf({ key })) ? [[refOf({ key }), at] as const] : []));
      actions.move(new Map(places), undefined, words.steps.tidy);
      say(words.said.tidied);
      endGlide.current?.();
      endGlide.current = glide(from, to, {
        show: (places) => moving.setState(places, true),
        ms: durationOf(glideMs),
      });
      if (only.size === 0) requestAnimationFrame(showAll);
    },
    [now, moving, actions, say],
  );

  return useMemo(
    () => ({ moving, change, drag, stop, tidy: (showAll: () => void) => void tidy(showAll) }),
    [moving, change, drag, stop, tidy],
  );
};
