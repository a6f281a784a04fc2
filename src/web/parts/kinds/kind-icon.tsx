import type { Kind } from './kind.ts';

type Props = {
  kind: Kind;
  /** In px. */
  size?: number;
};

/** The icon of a kind of thing on its colour, beside words that say which kind it is. */
export const KindIcon = ({ kind: { icon: Shown, hue }, size = 24 }: Props) => (
  <span className="kind" data-hue={hue} style={{ '--size': `${size}px` }} aria-hidden>
    <Shown size={Math.round(size * 0.62)} stroke={1.8} />
  </span>
);
