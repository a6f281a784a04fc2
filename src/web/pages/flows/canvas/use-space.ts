import { useEffect, useState, type RefObject } from 'react';

/** Whether Space is held over the canvas: then the pointer drags the canvas, over blocks, too. */
export const useSpace = (canvas: RefObject<HTMLElement | null>): boolean => {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { target } = event;
      const isTyped =
        target instanceof HTMLElement && target.matches('input, textarea, select, button, a, [contenteditable]');
      if (event.key !== ' ' || isTyped) return;
      const isHere = target === document.body || (target instanceof Node && canvas.current?.contains(target));
      if (!isHere) return;
      event.preventDefault();
      setHeld(true);
    };
    const release = (event: KeyboardEvent): void => {
      if (event.key === ' ') setHeld(false);
    };
    const leave = (): void => setHeld(false);
    window.addEventListener('keydown', press);
    window.addEventListener('keyup', release);
    window.addEventListener('blur', leave);
    return () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('keyup', release);
      window.removeEventListener('blur', leave);
    };
  }, [canvas]);
  return isHeld;
};
