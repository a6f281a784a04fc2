import type { ReactNode } from 'react';
import { To } from './to.tsx';
import { useMayOpen } from './use-may-open.ts';

/** A link as `To`, and its text alone where the user's role may not open the page. */
export const ToIfMay = ({ to, children }: { to: string; children: ReactNode }) => {
  const mayOpen = useMayOpen();
  return mayOpen(to) ? <To to={to}>{children}</To> : children;
};
