import type { Changes, Message } from '../live/wire.ts';
import type { Thread } from './thread.ts';

/** Has links to files hold for as long as a page shows them: those of the server hold for an hour at least. */
export type FreshLinks = {
  /** Renews links that are about to expire, and plans when to do so next. */
  look: () => void;
  /** Renews links that have expired, or that did not load. Undefined where there is none, or each was asked for lately. */
  renew: (options?: { hasFailed: boolean }) => Promise<void> | undefined;
};

export type FreshLinksOptions = {
  thread: Thread;
  /** Reads the page of messages before one, or the latest. */
  read: (before: string | undefined) => Promise<Changes>;
  changed: () => void;
  /** Ends it. */
  signal: AbortSignal;
};

/** How old links may get, in ms. */
const freshMs = 50 * 60_000;

/** Links that did not load are asked for once in this time, and what has failed is tried again after it, in ms. */
const retryMs = 60_000;

/** Pages of messages that are read one after the other. A longer thread goes on after `retryMs`. */
const mostPages = 5;

const hasFiles = ({ attachments }: Message): boolean => attachments.some(({ url }) => url !== null);

export const createFreshLinks = ({ thread, read, changed, signal }: FreshLinksOptions): FreshLinks => {
  /** When links of a message were asked for last, which may be in vain: the message may be gone. */
  const asked = new Map<string, number>();
  let notBefore = 0;
  let renewing: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const madeAt = ({ id, linkedAt }: Message): number => Math.max(linkedAt, asked.get(id) ?? 0);

  const listOlder = (ageMs: number): Message[] => {
    const now = Date.now();
    return thread.messages().filter((message) => hasFiles(message) && now - madeAt(message) >= ageMs);
  };

  const readPages = async (ageMs: number): Promise<void> => {
    let end: string | undefined;
    for (let page = 0; page < mostPages && !signal.aborted; page += 1) {
      const stale = listOlder(ageMs).findLast(({ id }) => end === undefined || id < end);
      if (!stale) return;
      const messages = thread.messages();
      const { messages: fresh } = await read(messages[messages.indexOf(stale) + 1]?.id);
      thread.relink(fresh);
      const first = fresh[0]?.id ?? stale.id;
      end = first < stale.id ? first : stale.id;
      for (const { id } of listOlder(ageMs)) if (id >= end && id <= stale.id) asked.set(id, Date.now());
      changed();
    }
    if (listOlder(ageMs).length > 0) notBefore = Date.now() + retryMs;
  };

  const begin = async (ageMs: number): Promise<void> => {
    try {
      await readPages(ageMs);
    } catch {
      notBefore = Date.now() + retryMs;
    }
    renewing = undefined;
    plan();
  };

  const renew: FreshLinks['renew'] = ({ hasFailed } = { hasFailed: false }) => {
    const ageMs = hasFailed ? retryMs : freshMs;
    const isDue = !signal.aborted && Date.now() >= notBefore && listOlder(ageMs).length > 0;
    return renewing ?? (isDue ? (renewing = begin(ageMs)) : undefined);
  };

  const plan = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const made = thread.messages().filter(hasFiles).map(madeAt);
    if (signal.aborted || made.length === 0) return;
    const dueAt = Math.max(Math.min(...made) + freshMs, notBefore);
    timer = setTimeout(look, Math.max(dueAt - Date.now(), 0));
  };

  const look = (): void => {
    // A hidden page asks when it is seen again.
    if (document.visibilityState === 'visible' && !renew()) plan();
  };

  signal.addEventListener('abort', () => clearTimeout(timer));
  return { look, renew };
};
