import { fieldsOf, numberOf } from '../reading.ts';
import type { Place } from '../loader/place.ts';
import { createClient } from './client.ts';

export type Office = {
  /** Whether the channel has office hours, and this is outside of them. */
  isAway: () => boolean;
  /** Asks anew where that may have changed: timers stand still in a sleeping browser. */
  look: () => void;
};

export type OfficeOptions = {
  place: Pick<Place, 'base' | 'config'>;
  changed: () => void;
  signal: AbortSignal;
};

/** When to ask again after a failure, in ms. */
const retryMs = 60_000;

/** Browsers on all pages ask within this time, and not all at once, in ms. */
const spreadMs = 15_000;

/** Timers take no longer time, in ms. */
const longestMs = 86_400_000;

/** Follows whether somebody is there. The server alone knows hours and zones: it says what is, and how long that stays so. */
export const followOffice = ({ place: { base, config }, changed, signal }: OfficeOptions): Office => {
  const { request } = createClient(base);
  let isAway = false;
  let dueAt = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;

  const take = (given: unknown, at: number): void => {
    const office = fieldsOf(given);
    isAway = office['is_open'] === false;
    const seconds = numberOf(office['changes_in'], Infinity);
    dueAt = at + seconds * 1_000 + Math.random() * spreadMs;
  };

  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      take(fieldsOf((await request('GET', 'config', { signal })).body)['office'], Date.now());
    } catch {
      dueAt = Date.now() + retryMs;
    }
    isAsking = false;
    look();
    changed();
  };

  const look = (): void => {
    clearTimeout(timer);
    if (signal.aborted || isAsking || dueAt === Infinity) return;
    const waitMs = dueAt - Date.now();
    if (waitMs > 0) timer = setTimeout(look, Math.min(waitMs, longestMs));
    // A hidden page asks when it is seen again.
    else if (document.visibilityState === 'visible') void ask();
  };

  take(config.office, config.readAt);
  signal.addEventListener('abort', () => clearTimeout(timer));
  look();
  return { isAway: () => isAway, look };
};
