import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client.ts';
import { Bubble } from '../../parts/bubble.tsx';
import { Routed } from './routed.tsx';
import { words } from './words.ts';

type Props = {
  message: Schemas['Message'];
  /** What the contact is called. */
  name: string;
};

/** A message of a conversation, with the run that sent it or what automation made of it. */
export const Message = ({ message, name }: Props) => {
  const { direction, run_id: runId, routed_to: routedTo } = message;
  const byFlow = runId !== null && (
    <Anchor component={Link} to={`/runs/${runId}`} size="xs">
      {words.byFlow}
    </Anchor>
  );
  return (
    <li className="message" data-direction={direction}>
      <Bubble message={message} name={name} beside={byFlow}>
        <Routed to={routedTo} />
      </Bubble>
    </li>
  );
};
