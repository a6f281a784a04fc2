import { getBezierPath, Position, useReactFlow, ViewportPortal } from '@xyflow/react';
import { memo, useEffect, useRef, useState, type RefObject } from 'react';
import { refOf } from '../drawing/read-flow.ts';
import { startPort } from '../drawing/port-rows.tsx';
import { startKey } from '../drawing/use-places.ts';

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

const gripAt = (target: EventTarget | null): { grip: Grip; dot: Element } | undefined => {
  const dot = target instanceof Element ? target.closest('.port-dot') : null;
  const key = dot?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
  const port = dot?.getAttribute('data-handleid');
  return dot && key !== undefined && port !== null && port !== undefined ? { grip: { key, port }, dot } : undefined;
};

/** The block at a point of the window; the start takes no wires. */
const boxAt = ({ x, y }: Point): HTMLElement | undefined => {
  const node = document.elementFromPoint(x, y)?.closest<HTMLElement>('.react-flow__node');
  return node && node.dataset['id'] !== startKey ? node : undefined;
};

/** The wire that is being drawn from a port to a block. Only it is rendered while it moves. */
export const WireLayer = memo(({ canvas, onConnect, onDrop, onClick }: Props) => {
  const { screenToFlowPosition } = useReactFlow();
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
      element.querySelector('.wire-target')?.classList.remove('wire-target');
    };
    const begin = (event: PointerEvent): void => {
      const held = gripAt(event.target);
      if (!held || event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      end();
      const box = held.dot.getBoundingClientRect();
      const from = screenToFlowPosition({ x: box.right, y: box.top + box.height / 2 });
      const begun = { x: event.clientX, y: event.clientY };
      let isDrawn = false;
      const move = ({ clientX: x, clientY: y }: PointerEvent): void => {
        isDrawn ||= Math.hypot(x - begun.x, y - begun.y) > threshold;
        if (!isDrawn) return;
        element.classList.add('wiring');
        const over = boxAt({ x, y });
        const marked = element.querySelector('.wire-target');
        if (marked !== (over ?? null)) {
          marked?.classList.remove('wire-target');
          over?.classList.add('wire-target');
        }
        setWire({ from, to: screenToFlowPosition({ x, y }) });
      };
      const drop = ({ clientX: x, clientY: y }: PointerEvent): void => {
        const to = boxAt({ x, y })?.dataset['id'];
        const isInside = element.contains(document.elementFromPoint(x, y));
        end();
        const at = { x, y };
        if (!isDrawn) latest.current.onClick(held.grip, at);
        else if (to !== undefined) latest.current.onConnect(held.grip, to);
        else if (isInside) latest.current.onDrop(held.grip, at);
      };
      ending = new AbortController();
      const { signal } = ending;
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
  }, [canvas, screenToFlowPosition]);

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
