import type { Schemas } from '../../../api/client.ts';
import { Time } from '../../../parts/time.tsx';
import { words as all } from '../words.ts';

const words = all.thread;

type Props = { act: Schemas['Act']; sayUser: (id: string) => string };

type Said = { act: string; by: string | undefined };

/** What was done, in words, and by whom where a user did it. A later version of the API may have other kinds: those are left out. */
const sayAct = ({ kind, user_id: userId, data }: Schemas['Act'], sayUser: (id: string) => string): Said | undefined => {
  const by = userId === null ? undefined : sayUser(userId);
  const to = data['assigned_to'];
  const given = typeof to === 'string' ? sayUser(to) : undefined;
  switch (kind) {
    case 'assigned':
      return { act: given === undefined ? words.acts.unassigned : words.acts.assigned(given), by };
    case 'taken':
      // Mostly who does it is who takes it.
      if (given === undefined) return { act: words.acts.unassigned, by };
      return { act: words.acts.taken(given), by: by === given ? undefined : by };
    case 'handed_back':
      return data['status'] === 'expired' ? { act: words.acts.expired, by } : { act: words.acts.handed_back, by };
    case 'handed_over':
    case 'closed':
    case 'reopened':
      return { act: words.acts[kind], by };
    case 'snoozed':
      return { act: data['until'] === null ? words.acts.woken : words.acts.snoozed, by };
    default:
      return undefined;
  }
};

/** A line between messages that says what was done. */
export const ActLine = ({ act, sayUser }: Props) => {
  const said = sayAct(act, sayUser);
  return said === undefined ? null : (
    <li className="talk-line">
      {said.by === undefined ? said.act : words.by(said.act, said.by)} · <Time at={act.created_at} format="clock" />
    </li>
  );
};
