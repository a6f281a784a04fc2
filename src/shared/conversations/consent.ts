const stop = new Set(['stop', 'stopall', 'unsubscribe']);
const start = new Set(['start', 'unstop', 'subscribe']);

/** What a message that is one of these words alone asks for: no more messages, or messages again. */
export const readConsent = (text: string): 'stop' | 'start' | undefined => {
  if (text.length > 20) return undefined;
  const word = text.trim().toLowerCase();
  return stop.has(word) ? 'stop' : start.has(word) ? 'start' : undefined;
};
