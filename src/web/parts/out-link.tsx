import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** A link to another place, which opens beside this page. An address that is not of the web is text. */
export const OutLink = ({ href, children }: { href: string; children: ReactNode }) =>
  /^https?:\/\//i.test(href) ? (
    <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
      {children} <IconExternalLink size={14} aria-hidden style={{ verticalAlign: 'text-bottom' }} />
    </Anchor>
  ) : (
    children
  );
