import { Alert, Stack } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { ApiFailure } from '../../api/failure.ts';
import { To } from '../../parts/to.tsx';

/** Whether the API refused the link, and not what was typed. */
export const isBadLink = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.details.some(({ path }) => path === 'token');

type Props = {
  title: string;
  text: string;
  /** Where to go on. */
  next?: readonly { to: string; words: string }[];
};

/** Where a link is of no use: why, and what to do. */
export const BadLink = ({ title, text, next = [] }: Props) => (
  <Stack gap="sm">
    <Alert color="yellow" variant="light" title={title} icon={<IconLinkOff aria-hidden />} role="alert">
      {text}
    </Alert>
    {next.map(({ to, words }) => (
      <To key={to} to={to}>
        {words}
      </To>
    ))}
  </Stack>
);
