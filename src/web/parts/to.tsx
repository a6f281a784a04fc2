import type { ComponentProps } from 'react';
import { Link } from 'react-router';

type Props = Pick<ComponentProps<typeof Link>, 'to' | 'children' | 'aria-label'>;

/** A link to another page, in the size of text in rows and facts. A plain element: lists have hundreds. */
export const To = (props: Props) => <Link className="to" {...props} />;
