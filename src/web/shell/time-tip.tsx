import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { timeTip } from '../parts/time.tsx';

type Tip = { target: HTMLElement; label: string };

const tipOf = ({ target }: Event): Tip | undefined => {
  const found = target instanceof Element ? target.closest<HTMLElement>(`[${timeTip}]`) : null;
  return found ? { target: found, label: found.getAttribute(timeTip) ?? '' } : undefined;
};

/** Tells the UTC of the time that is pointed at, or has the focus: one tooltip for all times of a page, because lists show hundreds. */
export const TimeTip = () => {
  const [tip, setTip] = useState<Tip>();
  useEffect(() => {
    const show = (event: Event): void => setTip(tipOf(event));
    const hide = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setTip(undefined);
    };
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('keydown', hide);
    return () => {
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('keydown', hide);
    };
  }, []);
  if (!tip) return null;
  return <Tooltip opened label={tip.label} target={tip.target} />;
};
