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
  /** The server does not know this token any more: whom the page has named proves it again, and anybody else is a stranger. */
  refuse: (token: string) => void;
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
const mostTries = 8;

/** A server that refuses the tokens that it gives is not asked for others all the time, in ms. */
const againMs = 60_000;

/** Who the visitor is, as the site or a link of a mail says. */
export const createIdentifying = (options: IdentifyingOptions): Identifying => {
  const { person, outbox, pauses, request, alone, follow, forgetPerson } = options;
  let identifying = new AbortController();
  const stopped = new AbortController();
  let returned: Promise<void> | undefined;
  /** Whom the page has named last, once that is proven. */
  let named: Identity | null = null;
  let provenAgainAt = 0;
  const [, returnToken] = /[#&]parley-chat=([\w-]+)$/.exec(location.hash) ?? [];

  /** Asks for a token until an answer comes. Nothing once the signal is aborted. */
  const askForToken = async (
    path: string,
    options: RequestOptions & { signal: AbortSignal },
  ): Promise<string | null> => {
    const { signal } = options;
    for (let failures = 0; !signal.aborted; failures += 1) {
      const shown = person.token();
      try {
        const { body } = await request('POST', path, options);
        return signal.aborted ? null : textOrNull(fieldsOf(body)['visitor_token']);
      } catch (error) {
        if (signal.aborted) return null;
        if (!(error instanceof RequestFailure) || failures >= mostTries) throw error;
        if (error.status === 401 && shown !== null) {
          // The token of before is good no more, and the proof needs none.
          if (person.token() === shown) person.forget();
          continue;
        }
        if (!error.isTemporary) throw error;
        await pauses.pause(Math.max(error.waitMs, backOff(failures)), signal);
      }
    }
    return null;
  };

  const prove = async (identity: Identity, signal: AbortSignal): Promise<void> => {
    const token = await askForToken('identify', { body: identity, signal });
    if (token === null) return;
    const before = person.token();
    // What a stranger was about to say is not said by this person.
    if (before !== null && before !== token) outbox.clear();
    person.become(identity, token);
    follow();
  };

  const exchange = async (token: string): Promise<void> => {
    const isWriting = (): boolean => outbox.list().length > 0;
    // Messages that wait to be sent stay those of who wrote them.
    if (isWriting()) return;
    const before = person.token();
    const given = await askForToken('return', { body: { token }, token: null, signal: stopped.signal });
    // Who has written as somebody else meanwhile stays that, and the link is good until its token is used.
    if (given === null || person.token() !== before || (before !== null && isWriting())) return;
    if (before !== null) forgetPerson();
    person.comeBack(given);
    follow();
  };

  const identify = async (identity: Identity | null): Promise<void> => {
    await returned;
    identifying.abort();
    identifying = new AbortController();
    const { signal } = identifying;
    named = null;
    if (person.isAnother(identity)) forgetPerson();
    if (identity && !person.isKnownAs(identity)) {
      // Nothing that is written meanwhile goes out as somebody else's.
      await alone(() => prove(identity, signal));
      outbox.flush();
    }
    if (!signal.aborted) named = identity;
  };

  return {
    identify,
    comeBack: async () => {
      if (returnToken === undefined) return;
      // The address of the page keeps nothing of the link.
      history.replaceState(history.state, '', location.pathname + location.search);
      // A link that was used, or has expired, leads to the page alone.
      returned = alone(() => exchange(returnToken)).catch(() => {});
      await returned;
    },
    isReturn: returnToken !== undefined,
    refuse: (token) => {
      if (token === person.token()) person.forget();
      follow();
      if (!named || person.token() !== null || Date.now() - provenAgainAt < againMs) return;
      provenAgainAt = Date.now();
      identify(named).catch(() => {});
    },
    stop: () => {
      stopped.abort();
      identifying.abort();
    },
  };
};
