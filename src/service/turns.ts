import type { IncomingMessage, ServerResponse } from 'node:http';

const usual = {
  /** The most requests that begin in one turn of the event loop: a few milliseconds of work. */
  perTurn: 8,
  /** The most turns after one another in which none begins, because connections come. */
  turnsForConnections: 20,
};

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

type Exchange = { request: IncomingMessage; response: ServerResponse };

export type Turns = {
  begin: Handler;
  /** A connection has come. Node takes one in each turn, and others may stand behind it. */
  noteConnection: () => void;
};

/**
 * Has a few requests begin in each turn of the event loop, asker by asker. Otherwise all that have come would begin in one turn, and a thousand visitors
 * who ask at once would keep everybody else from the thread for most of a second. While connections come, turns are kept short: everybody stands
 * in one line of the kernel until theirs is taken. One whose client has gone meanwhile is dropped.
 */
export const inTurns = (handler: Handler, { perTurn, turnsForConnections }: typeof usual = usual): Turns => {
  /** By asker. Who has been served goes behind all others. */
  const lines = new Map<string, Exchange[]>();
  let begun = 0;
  let hasConnected = false;
  let left = turnsForConnections;
  let isPlanned = false;

  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(nextTurn);
  };
  const begin = ({ request, response }: Exchange): void => {
    begun += 1;
    plan();
    void handler(request, response);
  };
  const takeNext = (): Exchange | undefined => {
    for (const [asker, line] of lines) {
      const next = line.shift();
      lines.delete(asker);
      if (line.length > 0) lines.set(asker, line);
      if (next && !next.response.destroyed) return next;
    }
    return undefined;
  };
  const nextTurn = (): void => {
    [begun, isPlanned] = [0, false];
    const waits = hasConnected && left > 0;
    left = waits ? left - 1 : turnsForConnections;
    hasConnected = false;
    if (waits) return plan();
    for (let next = takeNext(); next; next = begun < perTurn ? takeNext() : undefined) begin(next);
  };

  return {
    begin: (request, response) => {
      if (begun < perTurn && lines.size === 0 && !hasConnected) return begin({ request, response });
      const asker = askerOf(request);
      const line = lines.get(asker) ?? [];
      line.push({ request, response });
      lines.set(asker, line);
      plan();
    },
    noteConnection: () => {
      hasConnected = true;
      plan();
    },
  };
};

/** What tells askers apart before anything is known of them: their credential, or what their path names, such as a webchat. */
const askerOf = ({ url = '', headers }: IncomingMessage): string => {
  const [, first = '', second = ''] = url.split(/[/?]/, 3);
  const credential = headers.authorization ?? headers['x-access-token'] ?? headers.cookie;
  return withCredential.has(first) && credential !== undefined ? String(credential) : `${first}/${second}`;
};

/** The first part of paths behind which a credential says who asks. */
const withCredential = new Set(['v1', 'api', 'dashboard']);
