import { useEffect, useRef, useState } from 'react';

/** So long after the last change of a text its author types no more, in ms. */
const pauseMs = 8_000;

/** Whether a text that is not blank is being typed: a draft that only waits is not. */
export const useIsTyping = (text: string): boolean => {
  const known = useRef(text);
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (known.current === text) return undefined;
    known.current = text;
    setTyped(text);
    const timer = setTimeout(setTyped, pauseMs, '');
    return () => clearTimeout(timer);
  }, [text]);
  return typed.trim() !== '';
};
