import { useReactFlow, type Viewport } from '@xyflow/react';
import { useCallback, useMemo, type RefObject } from 'react';
import { useSignedIn } from '../../../shell/session-context.ts';
import type { Now } from './actions.ts';
import { findView, keepView } from './kept-view.ts';

type Deps = { canvas: RefObject<HTMLDivElement | null>; flowId: string; now: () => Now };

/** Opens a flow where its user left it in this browser. */
export const useKeptView = ({ canvas, flowId, now }: Deps) => {
  const { setViewport } = useReactFlow();
  const owner = `${useSignedIn().user.id} ${flowId}`;
  const restore = useCallback(
    (showBeginning: () => void): void => {
      const view = findView(owner);
      const { current: box } = canvas;
      const isSeen =
        view !== undefined &&
        box !== null &&
        now().nodes.some(({ position, width = 0, height = 0 }) => {
          const [left, top] = [position.x * view.zoom + view.x, position.y * view.zoom + view.y];
          return (
            left < box.clientWidth &&
            left + width * view.zoom > 0 &&
            top < box.clientHeight &&
            top + height * view.zoom > 0
          );
        });
      if (view && isSeen) void setViewport(view);
      else showBeginning();
    },
    [owner, canvas, now, setViewport],
  );
  const keep = useCallback(
    ({ x, y, zoom }: Viewport): void => keepView(owner, { x, y, zoom, block: now().builder.selected[0] }),
    [owner, now],
  );
  return useMemo(() => ({ restore, keep }), [restore, keep]);
};
