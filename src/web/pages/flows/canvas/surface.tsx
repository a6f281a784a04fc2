import { useComputedColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Background, MiniMap, Panel, type Viewport } from '@xyflow/react';
import { useCallback, useMemo, useRef, useState, type MouseEvent } from 'react';
import type { WayEdge } from '../drawing/edges.tsx';
import type { AnyNode } from '../drawing/nodes.tsx';
import { keyOf, refOf, type DrawnFlow } from '../drawing/read-flow.ts';
import { fitAll, showFrom } from '../drawing/view.ts';
import { BlockTools } from './block-tools.tsx';
import { CanvasTools } from './canvas-tools.tsx';
import { Ground, type Hands } from './ground.tsx';
import { Help } from './help.tsx';
import { colorOf } from './map-color.ts';
import { SearchBar } from './search-bar.tsx';
import { useClipboard } from './use-clipboard.tsx';
import { useDragging } from './use-dragging.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useKeptView } from './use-kept-view.ts';
import { useMenus } from './use-menus.tsx';
import { useSight } from './use-sight.ts';
import { useSpace } from './use-space.ts';
import { useSurface } from './use-surface.ts';
import { useSurfaceKeys } from './use-surface-keys.ts';
import { showEdges } from './shown-nodes.ts';
import { originOf, WireLayer, type Grip } from './wire-layer.tsx';
import { words } from './words.ts';

type Point = { x: number; y: number };

type Props = { flow: DrawnFlow; nodes: AnyNode[]; edges: WayEdge[] };

/** The canvas itself: what is drawn, and the hands that change it. */
export const Surface = ({ flow, nodes, edges }: Props) => {
  const scheme = useComputedColorScheme('light');
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const canvas = useRef<HTMLDivElement>(null);
  const surface = useSurface(canvas);
  const { builder, drawn, now, actions, say, focus, placeBeside } = surface;
  const { selected } = builder;
  const menus = useMenus({ canvas, now, actions, focus, placeBeside });
  const dragging = useDragging({ now, actions, say });
  const [wireId, setWireId] = useState<string>();
  const [found, setFound] = useState<string>();
  const [isSearching, setSearching] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const keptFocus = useKeptFocus(canvas);
  const isPanning = useSpace(canvas);
  const keptView = useKeptView({ canvas, flowId: builder.flowId, now });
  const pasting = useClipboard({ canvas, drawn, now, actions, say });
  useSight({ canvas, drawn, builder });

  const keys = useMemo(() => new Set(selected.map(keyOf)), [selected]);
  const shownEdges = useMemo(() => showEdges(edges, wireId), [edges, wireId]);

  const showBeginning = useCallback((): void => {
    if (canvas.current) showFrom(drawn, [...now().nodes], canvas.current);
  }, [drawn, now]);
  const showAll = useCallback((): void => {
    if (canvas.current) fitAll(drawn, [...now().nodes], canvas.current);
  }, [drawn, now]);
  const press = useSurfaceKeys({
    surface,
    menus,
    wireId,
    setWireId,
    setSearching,
    setHelping,
    showBeginning,
    showAll,
  });

  // Handlers stay the same: each change of one would render all blocks.
  const { openPalette, within } = menus;
  const paletteAt = useCallback(
    (event: MouseEvent | globalThis.MouseEvent): void => {
      event.preventDefault();
      const { clientX: x, clientY: y } = event;
      openPalette(within({ x, y }), { place: drawn.screenToFlowPosition({ x, y }) });
    },
    [drawn, openPalette, within],
  );
  const leaveAll = useCallback((): void => {
    setWireId(undefined);
    const { builder: shared } = now();
    if (shared.selected.length > 0) shared.select([]);
  }, [now]);
  const leaveWire = useCallback((): void => setWireId(undefined), []);
  const selectWire = useCallback(
    (_: unknown, { id }: WayEdge): void => {
      now().builder.select([]);
      setWireId(id);
    },
    [now],
  );
  const endMove = useCallback(
    (_: unknown, viewport: Viewport): void => {
      keptView.keep(viewport);
      keptFocus.take();
    },
    [keptView, keptFocus],
  );
  const begin = useCallback((): void => keptView.restore(showBeginning), [keptView, showBeginning]);
  const { change, drag, stop, tidy, moving } = dragging;
  const stopSelection = useCallback(
    (event: MouseEvent, moved: AnyNode[]): void => stop(event, undefined, moved),
    [stop],
  );
  const hands = useMemo(
    (): Hands => ({
      onKeyDown: press,
      onInit: begin,
      onMove: keptFocus.take,
      onMoveEnd: endMove,
      onNodesChange: change,
      onNodeDrag: drag,
      onNodeDragStop: stop,
      onSelectionDragStop: stopSelection,
      onPaneClick: leaveAll,
      onPaneContextMenu: paletteAt,
      onNodeClick: leaveWire,
      onEdgeClick: selectWire,
    }),
    [press, begin, keptFocus, endMove, change, drag, stop, stopSelection, leaveAll, paletteAt, leaveWire, selectWire],
  );
  const tools = useMemo(
    () => ({
      showBeginning,
      showAll,
      add: (at: Point) => openPalette(within(at), {}),
      search: () => setSearching(true),
      tidy: () => tidy(showAll),
      help: () => setHelping(true),
    }),
    [showBeginning, showAll, openPalette, within, tidy],
  );
  const wiring = useMemo(
    () => ({
      onConnect: (grip: Grip, to: string) => {
        actions.wire(originOf(grip), refOf({ key: to }));
      },
      onDrop: (grip: Grip, at: Point) => {
        const { x, y } = drawn.screenToFlowPosition(at);
        openPalette(within(at), { after: originOf(grip), place: { x, y: y - 22 } });
      },
      onClick: (grip: Grip, at: Point) => openPalette(within(at), { after: originOf(grip) }),
    }),
    [actions, drawn, openPalette, within],
  );
  const clickWireTool = (event: MouseEvent): void => {
    const tool = event.target instanceof Element ? event.target.closest('[data-wire-tool]') : null;
    const id = tool?.closest('[data-wire]')?.getAttribute('data-wire');
    const edge = id === null || id === undefined ? undefined : drawn.getEdge(id);
    const origin = edge && originOf({ key: edge.source, port: edge.data?.port ?? '' });
    if (!tool || !origin) return;
    event.stopPropagation();
    if (tool.getAttribute('data-wire-tool') === 'remove') actions.wire(origin, undefined);
    else menus.openPalette(menus.within({ x: event.clientX, y: event.clientY }), { after: origin });
  };
  const showFound = useCallback(
    (key: string | undefined): void => {
      setFound(key);
      const node = key === undefined ? undefined : drawn.getNode(key);
      if (!node) return;
      const { position, width = 0, height = 0 } = node;
      void drawn.setCenter(position.x + width / 2, position.y + height / 2, { zoom: Math.max(drawn.getZoom(), 0.8) });
    },
    [drawn],
  );
  const endSearch = (): void => {
    setSearching(false);
    const block = flow.blocks.find(({ key }) => key === found);
    setFound(undefined);
    if (block) builder.select([refOf(block)]);
    focus(block && refOf(block));
  };

  return (
    // The keys of the canvas are those of the application inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      ref={canvas}
      className="canvas"
      data-is-panning={isPanning}
      onFocus={keptFocus.enter}
      onBlur={keptFocus.leave}
      onClickCapture={clickWireTool}
      onDoubleClick={(event) => {
        if (event.target instanceof Element && event.target.matches('.react-flow__pane')) paletteAt(event);
      }}
    >
      <Ground
        nodes={nodes}
        edges={shownEdges}
        selected={keys}
        found={found}
        moving={moving}
        isPanning={isPanning}
        scheme={scheme}
        hands={hands}
      >
        <Background gap={20} size={1.2} />
        <WireLayer canvas={canvas} {...wiring} />
        <BlockTools
          flowId={builder.flowId}
          selected={selected}
          actions={actions}
          addAfter={menus.addAfter}
          addBefore={menus.addBefore}
          simulateFrom={builder.simulateFrom}
        />
        <Panel position="top-right">
          <CanvasTools {...tools} />
        </Panel>
        {!isNarrow && (
          <MiniMap pannable zoomable ariaLabel={null} nodeColor={colorOf} nodeStrokeWidth={0} nodeBorderRadius={20} />
        )}
      </Ground>
      {isSearching && <SearchBar blocks={flow.blocks} show={showFound} close={endSearch} />}
      {menus.shown}
      {pasting}
      {isHelping && <Help title={words.help.title} keys={words.help.keys} close={() => setHelping(false)} />}
    </div>
  );
};
