import { backOff, type Pauses } from '../live/pause.ts';
import { RequestFailure } from '../live/request-failure.ts';
import type { Client, RequestOptions } from '../live/client.ts';
import type { Identity } from '../page-api.ts';
import { fieldsOf, textOrNull } from '../reading.ts';
import type { Outbox } from './outbox.ts';
import type { Person } from './person.ts';

export type Identifying = {
  /** Makes the visitor this person, or a stranger again. Rejects when the proof is refused. */
  identify: (identity: Identity | null) => Promise<void>;
  /** A link of a mail makes this browser the visitor's, once. */
  comeBack: () => Promise<void>;
  /** Whether the page was opened by a link of a mail. */
  isReturn: boolean;
  stop: () => void;
};

export type IdentifyingOptions = {
  person: Person;
  outbox: Pick<Outbox, 'list' | 'clear' | 'flush'>;
  pauses: Pauses;
  request: (method: 'POST', path: string, options: RequestOptions) => ReturnType<Client['request']>;
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Follows the thread of whoever the visitor is by now. */
  follow: () => void;
  /** Forgets all of one person before anything of the next one is asked for. */
  forgetPerson: () => void;
};

/** Nobody's messages wait for longer than these tries take, some two minutes. */
const mostProofs = 8;

/** Who the visitor is, as the site or a link of a mail says. */
export const createIdentifying = (options: IdentifyingOptions): Identifying => {
  const { person, outbox, pauses, request, alone, follow, forgetPerson } = options;
  let identifying = new AbortController();
  let returned: Promise<void> | undefined;
  const [, returnToken] = /[#&]parley-chat=([\w-]+)$/.exec(location.hash) ?? [];

  const prove = async (identity: Identity, signal: AbortSignal): Promise<void> => {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        const { body } = await request('POST', 'identify', { body: identity, signal });
        const token = textOrNull(fieldsOf(body)['visitor_token']);
        if (signal.aborted || token === null) return;
        const before = person.token();
        // What a stranger was about to say is not said by this person.
        if (before !== null && before !== token) outbox.clear();
        person.become(identity, token);
        follow();
        return;
      } catch (error) {
        if (signal.aborted) return;
        const isTemporary = error instanceof RequestFailure && error.isTemporary;
        if (!isTemporary || failures >= mostProofs) throw error;
        await pauses.pause(Math.max(error.waitMs, backOff(failures)), signal);
      }
    }
  };

  /** The address of the page keeps nothing of the link. */
  const exchange = async (token: string): Promise<void> => {
    history.replaceState(history.state, '', location.pathname + location.search);
    // Messages that wait to be sent stay those of who wrote them.
    if (outbox.list().length > 0) return;
    const { body } = await request('POST', 'return', { body: { token }, token: null });
    const given = textOrNull(fieldsOf(body)['visitor_token']);
    if (given === null) return;
    if (person.token() !== null) forgetPerson();
    person.setToken(given);
    follow();
  };

  const identify = async (identity: Identity | null): Promise<void> => {
    await returned;
    identifying.abort();
    identifying = new AbortController();
    const { signal } = identifying;
    if (identity && person.isKnownAs(identity)) return;
    if (person.isAnother(identity)) forgetPerson();
    if (identity === null) return;
    // Nothing that is written meanwhile goes out as somebody else's.
    await alone(() => prove(identity, signal));
    outbox.flush();
  };

  return {
    identify,
    // A link that was used, or has expired, leads to the page alone.
    comeBack: async () => {
      returned = returnToken === undefined ? undefined : exchange(returnToken).catch(() => {});
      await returned;
    },
    isReturn: returnToken !== undefined,
    stop: () => identifying.abort(),
  };
};
