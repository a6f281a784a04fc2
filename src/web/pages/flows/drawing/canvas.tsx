import '@xyflow/react/dist/base.css';
import './drawing.css';
import { ActionIcon, Stack, Text, Tooltip, useComputedColorScheme } from '@mantine/core';
import { IconFocusCentered, IconHome, IconMinus, IconPlus, type Icon } from '@tabler/icons-react';
import {
  BaseEdge,
  EdgeLabelRenderer,
  Handle,
  MarkerType,
  Panel,
  Position,
  ReactFlow,
  useReactFlow,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useMemo, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { BlockFace, Count } from './block-face.tsx';
import { useDrawing } from './drawing-context.ts';
import { EndLines } from './end-lines.tsx';
import { layOut, startKey, type DrawnWay } from './layout.ts';
import type { DrawnBlock, DrawnFlow } from './read-flow.ts';
import { sayTrigger } from './say-trigger.ts';

type BlockNode = Node<{ block: DrawnBlock }, 'block'>;
type StartNode = Node<{ lines: readonly string[] }, 'start'>;
type AnyNode = BlockNode | StartNode;
type WayEdge = Edge<{ way: DrawnWay }, 'way'>;
type Instance = ReactFlowInstance<AnyNode, WayEdge>;

/** Where the beginning of a flow is shown that is larger than the window: not smaller than it can be read. */
const readable = 0.8;

const limits = { min: 0.1, max: 2 };

/** How far an arrow key moves the drawing, in px. */
const stepPx = 80;

/** The most triggers that are told in the drawing. */
const mostTriggers = 5;

/** A flow as a drawing: moved by pointer and by arrow keys, and made larger and smaller. Nothing can be changed in it. */
export const Canvas = ({ flow }: { flow: DrawnFlow }) => {
  const { t } = useTranslation('drawing');
  const scheme = useComputedColorScheme('light');
  const instance = useRef<Instance>(null);
  const element = useRef<HTMLDivElement>(null);
  const { nodes, edges } = useMemo(() => draw(flow, t('more')), [flow, t]);

  const showBeginning = (): void => {
    const { current: box } = element;
    const start = nodes.find(({ id }) => id === startKey);
    if (box && start && instance.current) showFrom(instance.current, { nodes, start, box });
  };
  const move = (event: KeyboardEvent): void => {
    const { current: drawn } = instance;
    const by = steps[event.key];
    if (!drawn || event.ctrlKey || event.metaKey || event.altKey) return;
    if (by) {
      const { x, y, zoom } = drawn.getViewport();
      void drawn.setViewport({ x: x + by[0] * stepPx, y: y + by[1] * stepPx, zoom });
    } else if (event.key === '+') void drawn.zoomIn();
    else if (event.key === '-') void drawn.zoomOut();
    else if (event.key === '0') void drawn.fitView();
    else if (event.key === 'Home') showBeginning();
    else return;
    event.preventDefault();
  };
  /** Who goes from block to block by keyboard sees the one that has the focus. */
  const follow = ({ target }: FocusEvent): void => {
    const key = target.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
    const node = nodes.find(({ id }) => id === key);
    const { current: drawn } = instance;
    if (!node || !drawn || !target.matches(':focus-visible')) return;
    const { x, y } = node.position;
    const zoom = Math.max(drawn.getZoom(), readable);
    void drawn.setCenter(x + (node.width ?? 0) / 2, y + (node.height ?? 0) / 2, { zoom });
  };

  return (
    <ReactFlow<AnyNode, WayEdge>
      ref={element}
      className="drawing"
      aria-label={t('label')}
      tabIndex={0}
      onKeyDown={move}
      onFocusCapture={follow}
      colorMode={scheme}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onInit={(drawn) => {
        instance.current = drawn;
        showBeginning();
      }}
      minZoom={limits.min}
      maxZoom={limits.max}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      panActivationKeyCode={null}
      zoomActivationKeyCode={['Control', 'Meta']}
      // The wheel moves the page, unless Ctrl is pressed.
      zoomOnScroll={false}
      preventScrolling={false}
      zoomOnDoubleClick={false}
      defaultMarkerColor={null}
      proOptions={{ hideAttribution: true }}
    >
      <Panel position="top-right">
        <Tools showBeginning={showBeginning} />
      </Panel>
    </ReactFlow>
  );
};

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
};

/** All of it where that can be read; otherwise its beginning. */
const showFrom = (
  drawn: Instance,
  { nodes, start, box }: { nodes: AnyNode[]; start: AnyNode; box: HTMLElement },
): void => {
  const { width, height } = drawn.getNodesBounds(nodes);
  const zoom = Math.min(1, (box.clientWidth - 32) / width, (box.clientHeight - 32) / height);
  if (zoom >= readable) {
    void drawn.fitView({ maxZoom: 1, padding: '16px' });
    return;
  }
  const middle = start.position.x + (start.width ?? 0) / 2;
  void drawn.setViewport({
    x: box.clientWidth / 2 - middle * readable,
    y: 16 - start.position.y * readable,
    zoom: readable,
  });
};

const draw = (flow: DrawnFlow, more: string): { nodes: AnyNode[]; edges: WayEdge[] } => {
  const said = flow.triggers.filter(({ type }) => type !== 'api').map(sayTrigger);
  const lines = [
    ...said.slice(0, mostTriggers),
    ...(said.length > mostTriggers ? [`+${said.length - mostTriggers} ${more}`] : []),
    sayTrigger({ type: 'api' }),
  ];
  const { boxes, ways } = layOut(flow, lines.length);
  const placed = (key: string) => {
    const { x, y, width, height } = boxes.get(key) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { id: key, position: { x, y }, width, height };
  };
  return {
    nodes: [
      { ...placed(startKey), type: 'start', data: { lines } },
      ...flow.blocks.map((block): BlockNode => ({ ...placed(block.key), type: 'block', data: { block } })),
    ],
    edges: ways.map((way) => ({
      id: way.key,
      type: 'way',
      source: way.from,
      target: way.to,
      data: { way },
      markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
    })),
  };
};

/** Where ways begin and end; `layOut` has said how they go. */
const Ends = () => (
  <>
    <Handle type="target" position={Position.Top} isConnectable={false} />
    <Handle type="source" position={Position.Bottom} isConnectable={false} />
  </>
);

const DrawnStart = ({ data: { lines } }: NodeProps<StartNode>) => {
  const { t } = useTranslation('drawing');
  const { countAt } = useDrawing();
  return (
    <div className="drawn-block" data-is-start>
      <Ends />
      <div className="block-face">
        <Text component="div" size="sm" fw={600}>
          {t('start')} <Count count={countAt(null)} />
        </Text>
        {lines.map((line) => (
          <Text key={line} size="xs" truncate title={line}>
            {line}
          </Text>
        ))}
      </div>
    </div>
  );
};

const DrawnBox = ({ data: { block } }: NodeProps<BlockNode>) => (
  <div className="drawn-block">
    <Ends />
    <BlockFace block={block} />
    <EndLines ways={block.ways} />
  </div>
);

const DrawnEdge = ({ data, markerEnd }: EdgeProps<WayEdge>) => {
  if (!data) return null;
  const { label, points, at } = data.way;
  return (
    <>
      <BaseEdge path={curve(points)} {...(markerEnd !== undefined && { markerEnd })} />
      {label && (
        <EdgeLabelRenderer>
          <div className="way-label" style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)` }}>
            {label}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
};

/** A line through the middles between points, rounded at each of them. */
const curve = (points: DrawnWay['points']): string => {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (!first || !last) return '';
  const bends = rest.map(({ x, y }, index) => {
    const next = rest[index + 1] ?? last;
    return `Q ${x},${y} ${(x + next.x) / 2},${(y + next.y) / 2}`;
  });
  return [`M ${first.x},${first.y}`, ...bends, `L ${last.x},${last.y}`].join(' ');
};

const nodeTypes = { start: DrawnStart, block: DrawnBox };
const edgeTypes = { way: DrawnEdge };

const Tools = ({ showBeginning }: { showBeginning: () => void }) => {
  const { t } = useTranslation('drawing');
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Stack gap={4}>
      <Tool label={t('zoomIn')} icon={IconPlus} onClick={() => void zoomIn()} />
      <Tool label={t('zoomOut')} icon={IconMinus} onClick={() => void zoomOut()} />
      <Tool label={t('fit')} icon={IconFocusCentered} onClick={() => void fitView()} />
      <Tool label={t('beginning')} icon={IconHome} onClick={showBeginning} />
    </Stack>
  );
};

const Tool = ({ label, icon: Shown, onClick }: { label: string; icon: Icon; onClick: () => void }) => (
  <Tooltip label={label} position="left">
    <ActionIcon variant="default" size="lg" aria-label={label} onClick={onClick}>
      <Shown size={18} aria-hidden />
    </ActionIcon>
  </Tooltip>
);
