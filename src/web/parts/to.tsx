import type { ReactNode } from 'react';

/** The attribute of links that `FollowLinks` follows. */
export const pageLink = 'data-page';

type Props = { to: string; children: ReactNode; 'aria-label'?: string };

/** A link to another page, in the size of text in rows and facts. A plain element without a listener of its own: lists have hundreds. */
export const To = ({ to, children, ...others }: Props) => (
  <a className="to" href={to} {...{ [pageLink]: '' }} {...others}>
    {children}
  </a>
);
