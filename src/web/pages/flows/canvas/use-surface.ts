import { useReactFlow } from '@xyflow/react';
import { useCallback, useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useBuilder } from '../builder/builder-context.ts';
import type { WayEdge } from '../drawing/edges.tsx';
import type { AnyNode } from '../drawing/nodes.tsx';
import { keyOf, type DrawnFlow } from '../drawing/read-flow.ts';
import { createActions, type Actions, type Now } from './actions.ts';
import { hold } from './hold.ts';
import { bringIntoSight } from './sight.ts';

/** So many frames a new block has to be drawn before the canvas no longer waits to give it the focus. */
const patience = 40;

/** What the parts of the canvas share: the present state to be read by handlers, its actions, and the focus. */
export const useSurface = (canvas: RefObject<HTMLDivElement | null>, flow: DrawnFlow, nodes: AnyNode[]) => {
  const builder = useBuilder();
  const drawn = useReactFlow<AnyNode, WayEdge>();
  const { flows } = useFlowNames();
  const [said, setSaid] = useState('');
  const [latest] = useState(() => hold<Now>({ builder, flow, nodes }));
  const [names] = useState(() => hold(flows));
  useLayoutEffect(() => {
    latest.set({ builder, flow, nodes });
    names.set(flows);
  });

  const say = useCallback((text: string) => {
    // The same words again are told again.
    setSaid((before) => (before === text ? `${text}\u00A0` : text));
  }, []);

  const focus = useCallback(
    (blockId: string | undefined): void => {
      const { current: box } = canvas;
      if (blockId === undefined) {
        box?.querySelector<HTMLElement>('.react-flow')?.focus({ preventScroll: true });
        return;
      }
      const key = keyOf(blockId);
      let left = patience;
      const attempt = (): void => {
        left -= 1;
        const face = box?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(key)}"] .block-face`);
        if (box && left === patience - 1) bringIntoSight(drawn, box, key);
        if (face && box) {
          face.focus({ preventScroll: true });
          bringIntoSight(drawn, box, key);
        } else if (left > 0) requestAnimationFrame(attempt);
      };
      requestAnimationFrame(attempt);
    },
    [canvas, drawn],
  );

  const now = latest.get;
  const actions = useMemo(
    (): Actions =>
      createActions({ now, say, focus, nameOf: (id) => names.get().find((flowOf) => flowOf.id === id)?.name }),
    [now, names, say, focus],
  );
  return { builder, drawn, now, actions, said, say, focus };
};
