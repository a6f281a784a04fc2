import { useLayoutEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { hold } from './hold.ts';
import { createKeys } from './keys.ts';
import type { useSurface } from './use-surface.ts';
import type { useMenus } from './use-menus.tsx';
import { originOf } from './wire-layer.tsx';

type Deps = {
  surface: ReturnType<typeof useSurface>;
  menus: ReturnType<typeof useMenus>;
  wireId: string | undefined;
  setWireId: (id: string | undefined) => void;
  setSearching: (is: boolean) => void;
  setHelping: (is: boolean) => void;
  showBeginning: () => void;
  showAll: () => void;
};

/** The handler of the canvas's keys. */
export const useSurfaceKeys = (deps: Deps): ((event: KeyboardEvent) => void) => {
  const [latest] = useState(() => hold(deps));
  useLayoutEffect(() => latest.set(deps));
  const { now, actions, say, focus, drawn } = deps.surface;
  return useMemo(
    () =>
      createKeys({
        now,
        actions,
        say,
        focus,
        addAfter: (id) => latest.get().menus.addAfter(id),
        connectFrom: (id) => latest.get().menus.connectFrom(id),
        removeWire: () => {
          const { wireId, setWireId } = latest.get();
          const edge = wireId === undefined ? undefined : drawn.getEdge(wireId);
          const origin = edge && originOf({ key: edge.source, port: edge.data?.port ?? '' });
          setWireId(undefined);
          if (origin) actions.wire(origin, undefined);
          return origin !== undefined;
        },
        zoom: (by) => {
          if (by === 'in') void drawn.zoomIn();
          else if (by === 'out') void drawn.zoomOut();
          else if (by === 'fit') latest.get().showAll();
          else latest.get().showBeginning();
        },
        search: () => latest.get().setSearching(true),
        help: () => latest.get().setHelping(true),
      }),
    [latest, now, actions, say, focus, drawn],
  );
};
