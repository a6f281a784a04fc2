import { words } from './words.ts';

const minuteMs = 60_000;

/** How long somebody waited, in the unit that says it best: "0.4 s", "45 s", "12 min", "3 h 20 min", "2 d 4 h". */
export const saySpan = (ms: number): string => {
  if (ms < 9_950) return words.spans.seconds((ms / 1_000).toFixed(1));
  if (ms < minuteMs) return words.spans.seconds(String(Math.round(ms / 1_000)));
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 60) return words.spans.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? words.spans.hours({ hours, minutes: minutes % 60 })
    : words.spans.days({ days: Math.floor(hours / 24), hours: hours % 24 });
};
