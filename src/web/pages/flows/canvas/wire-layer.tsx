import { getBezierPath, Position, useReactFlow, ViewportPortal } from '@xyflow/react';
import { memo, useEffect, useRef, useState, type RefObject } from 'react';
import type { WayEdge } from '../drawing/edges.tsx';
import type { AnyNode } from '../drawing/nodes.tsx';
import { refOf } from '../drawing/read-flow.ts';
import { startPort } from '../drawing/port-rows.tsx';
import { startKey } from '../drawing/use-places.ts';
import type { Instance } from '../drawing/view.ts';
import { panAtBorder } from './pan-at-border.ts';

type Point = { x: number; y: number };

/** A port as the page has it: the key of its box, and its name. */
export type Grip = { key: string; port: string };

type Props = {
  canvas: RefObject<HTMLElement | null>;
  onConnect: (grip: Grip, to: string) => void;
  /** A wire was dropped on empty ground, or a port was clicked: both at a point of the window. */
  onDrop: (grip: Grip, at: Point) => void;
  onClick: (grip: Grip, at: Point) => void;
};

/** So far a pointer moves before it draws a wire, in px. */
const threshold = 5;

const gripAt = (target: EventTarget | null): Grip | undefined => {
  const dot = target instanceof Element ? target.closest('.port-dot') : null;
  const key = dot?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
  const port = dot?.getAttribute('data-handleid');
  return key !== undefined && port !== null && port !== undefined ? { key, port } : undefined;
};

/** The wire whose end is taken hold of, which leads elsewhere where it is let go; of several that end there the selected one. */
const wireAt = (drawn: Instance, event: PointerEvent): { grip: Grip; element: Element } | undefined => {
  if (!(event.target instanceof Element && event.target.matches('.wire-grip'))) return undefined;
  const ends = document
    .elementsFromPoint(event.clientX, event.clientY)
    .flatMap((one) => (one.matches('.wire-grip') ? (one.closest('.react-flow__edge') ?? []) : []));
  const element = ends.find((one) => one.matches('.selected')) ?? ends[0];
  const edge = drawn.getEdge(element?.getAttribute('data-id') ?? '');
  return element && edge && { grip: { key: edge.source, port: edge.data?.port ?? '' }, element };
};

/** Where the wire of a port begins. The block may be out of sight. */
const beginOf = (drawn: Instance, { key, port }: Grip): Point | undefined => {
  const node = drawn.getNode(key);
  const handle = node?.handles?.find(({ id }) => id === port);
  if (!node || !handle) return undefined;
  const { width = 0, height = 0 } = handle;
  return { x: node.position.x + handle.x + width, y: node.position.y + handle.y + height / 2 };
};

/** The block at a point of the window; the start takes no wires. */
const boxAt = ({ x, y }: Point): HTMLElement | undefined => {
  const node = document.elementFromPoint(x, y)?.closest<HTMLElement>('.react-flow__node');
  return node && node.dataset['id'] !== startKey ? node : undefined;
};

/** The wire that is being drawn from a port to a block. Only it is rendered while it moves. */
export const WireLayer = memo(({ canvas, onConnect, onDrop, onClick }: Props) => {
  const drawn = useReactFlow<AnyNode, WayEdge>();
  const [wire, setWire] = useState<{ from: Point; to: Point }>();
  const latest = useRef({ onConnect, onDrop, onClick });
  useEffect(() => {
    latest.current = { onConnect, onDrop, onClick };
  });

  useEffect(() => {
    const { current: element } = canvas;
    if (!element) return undefined;
    let ending: AbortController | undefined;
    const end = (): void => {
      ending?.abort();
      ending = undefined;
      setWire(undefined);
      element.classList.remove('wiring');
      for (const marked of ['wire-target', 'rewiring']) element.querySelector(`.${marked}`)?.classList.remove(marked);
    };
    const begin = (event: PointerEvent): void => {
      const port = gripAt(event.target);
      const held = port ? { grip: port, element: undefined } : wireAt(drawn, event);
      const from = held && beginOf(drawn, held.grip);
      if (!held || !from || event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      end();
      const begun = { x: event.clientX, y: event.clientY };
      let at = begun;
      let isDrawn = false;
      ending = new AbortController();
      const { signal } = ending;
      const show = (): void => setWire({ from, to: drawn.screenToFlowPosition(at) });
      const move = ({ clientX: x, clientY: y }: PointerEvent): void => {
        at = { x, y };
        if (!isDrawn && Math.hypot(x - begun.x, y - begun.y) <= threshold) return;
        if (!isDrawn) panAtBorder(drawn, element, { at: () => at, follow: show, signal });
        isDrawn = true;
        element.classList.add('wiring');
        held.element?.classList.add('rewiring');
        const over = boxAt(at);
        const marked = element.querySelector('.wire-target');
        if (marked !== (over ?? null)) {
          marked?.classList.remove('wire-target');
          over?.classList.add('wire-target');
        }
        show();
      };
      const drop = ({ clientX: x, clientY: y }: PointerEvent): void => {
        const to = boxAt({ x, y })?.dataset['id'];
        const isInside = element.contains(document.elementFromPoint(x, y));
        end();
        at = { x, y };
        if (!isDrawn && !held.element) latest.current.onClick(held.grip, at);
        else if (!isDrawn) return;
        else if (to !== undefined) latest.current.onConnect(held.grip, to);
        else if (isInside) latest.current.onDrop(held.grip, at);
      };
      window.addEventListener('pointermove', move, { signal });
      window.addEventListener('pointerup', drop, { signal });
      window.addEventListener('pointercancel', end, { signal });
      window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal, capture: true });
    };
    // A click on a port selects no block.
    const swallow = (event: Event): void => {
      if (gripAt(event.target)) event.stopPropagation();
    };
    element.addEventListener('pointerdown', begin, true);
    element.addEventListener('mousedown', swallow, true);
    element.addEventListener('touchstart', swallow, true);
    element.addEventListener('click', swallow, true);
    return () => {
      end();
      element.removeEventListener('pointerdown', begin, true);
      element.removeEventListener('mousedown', swallow, true);
      element.removeEventListener('touchstart', swallow, true);
      element.removeEventListener('click', swallow, true);
    };
  }, [canvas, drawn]);

  if (!wire) return null;
  const { from, to } = wire;
  const [path] = getBezierPath({
    sourceX: from.x,
    sourceY: from.y,
    targetX: to.x,
    targetY: to.y,
    sourcePosition: Position.Right,
    targetPosition: Position.Left,
  });
  return (
    <ViewportPortal>
      <svg className="wire-drawn" aria-hidden>
        <path d={path} />
      </svg>
    </ViewportPortal>
  );
});
WireLayer.displayName = 'WireLayer';

/** The origin of a wire in a definition. */
export const originOf = ({ key, port }: Grip): { from: string | undefined; port: string } =>
  key === startKey ? { from: undefined, port: startPort } : { from: refOf({ key }), port };
