import { useReactFlow } from '@xyflow/react';
import { useCallback, useEffect, type RefObject } from 'react';
import { useActing } from '../builder/acting-context.ts';
import { useBuilder } from '../builder/builder-context.ts';
import type { WayEdge } from '../drawing/edges.tsx';
import type { AnyNode } from '../drawing/nodes.tsx';
import { keyOf } from '../drawing/read-flow.ts';
import { bringIntoSight } from './sight.ts';

/** So many frames a new block has to be drawn before the canvas no longer waits to give it the focus. */
const patience = 40;

/** What the parts of the canvas share: the present state to be read by handlers, its actions, and the focus. */
export const useSurface = (canvas: RefObject<HTMLDivElement | null>) => {
  const builder = useBuilder();
  const drawn = useReactFlow<AnyNode, WayEdge>();
  const { now, actions, say, focus, takeFocus } = useActing();

  const take = useCallback(
    (ref: string | undefined): void => {
      const { current: box } = canvas;
      if (ref === undefined) {
        box?.querySelector<HTMLElement>('.react-flow')?.focus({ preventScroll: true });
        return;
      }
      const key = keyOf(ref);
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
      // At once where it is drawn, for the next key is meant for it.
      attempt();
    },
    [canvas, drawn],
  );
  useEffect(() => takeFocus(take), [takeFocus, take]);

  /** Where a list of a block opens. */
  const placeBeside = useCallback(
    (ref: string) => {
      const key = CSS.escape(keyOf(ref));
      const box = canvas.current?.querySelector(`.react-flow__node[data-id="${key}"]`)?.getBoundingClientRect();
      return { x: (box?.right ?? 0) + 12, y: box?.top ?? 0 };
    },
    [canvas],
  );
  return { builder, drawn, now, actions, say, focus, placeBeside };
};
